// Coroutines through which the run's own yields pass. A preemption or a host request inside a
// coroutine suspends the whole chain of coroutines. The plugin does not notice this.
#include "state.h"

// The outcome of entering a coroutine.
typedef enum {
  GAVE_VALUES, // the coroutine returned or yielded; its values are on top of the caller's stack
  GAVE_ERROR,  // the coroutine failed; the error is on top of the caller's stack
  MUST_WAIT,   // the run itself must be suspended
} entering;

static entering enter(lua_State *L, lua_State *thread, int argument_count, int *value_count) {
  lua_run *run = run_of(L);
  unsigned blocked = lua_isyieldable(L) ? 0 : 1;
  run->unyieldable += blocked;
  tick_switch(run, thread);
  int status = lua_resume(thread, L, argument_count, value_count);
  tick_switch(run, L);
  run->unyieldable -= blocked;
  if (status == LUA_YIELD && run->pending != PENDING_NONE) return MUST_WAIT;
  if (status == LUA_OK || status == LUA_YIELD) {
    if (!lua_checkstack(L, *value_count + 1)) {
      lua_pop(thread, *value_count);
      lua_pushliteral(L, "too many results to resume");
      return GAVE_ERROR;
    }
    lua_xmove(thread, L, *value_count);
    return GAVE_VALUES;
  }
  if (status == LUA_ERRMEM) run_die(run, LUA_DEATH_MEMORY);
  lua_xmove(thread, L, 1);
  return GAVE_ERROR;
}

// Moves the arguments to the coroutine. Called only for the first entry, because an entry after a
// wait has no arguments.
static void move_arguments(lua_State *L, lua_State *thread, int count) {
  if (!lua_checkstack(thread, count)) luaL_error(L, "too many arguments to resume");
  lua_xmove(L, thread, count);
}

static int continue_resume(lua_State *L, int status, lua_KContext argument_count) {
  (void)status;
  run_of(L)->pending = PENDING_NONE;
  lua_State *thread = lua_tothread(L, 1);
  int value_count = 0;
  switch (enter(L, thread, (int)argument_count, &value_count)) {
  case MUST_WAIT:
    return lua_yieldk(L, 0, 0, continue_resume);
  case GAVE_VALUES:
    lua_pushboolean(L, 1);
    lua_insert(L, -(value_count + 1));
    return value_count + 1;
  case GAVE_ERROR:
    break;
  }
  failure_to_string(L);
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

int coroutines_resume(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTHREAD);
  int count = lua_gettop(L) - 1;
  move_arguments(L, lua_tothread(L, 1), count);
  return continue_resume(L, LUA_OK, count);
}

static int continue_wrapped(lua_State *L, int status, lua_KContext argument_count) {
  (void)status;
  run_of(L)->pending = PENDING_NONE;
  lua_State *thread = lua_tothread(L, lua_upvalueindex(1));
  int value_count = 0;
  switch (enter(L, thread, (int)argument_count, &value_count)) {
  case MUST_WAIT:
    return lua_yieldk(L, 0, 0, continue_wrapped);
  case GAVE_VALUES:
    return value_count;
  case GAVE_ERROR:
    break;
  }
  // Unlike in Lua, an error does not close the coroutine, because nested closing overruns the C
  // stack in 5.4.4. The coroutine's to-be-closed variables are never closed.
  return lua_error(L);
}

static int call_wrapped(lua_State *L) {
  int count = lua_gettop(L);
  move_arguments(L, lua_tothread(L, lua_upvalueindex(1)), count);
  return continue_wrapped(L, LUA_OK, count);
}

int coroutines_wrap(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *thread = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, thread, 1);
  lua_pushcclosure(L, call_wrapped, 1);
  return 1;
}

int coroutines_yield(lua_State *L) {
  if (L == run_of(L)->body) return luaL_error(L, "attempt to yield from outside a coroutine");
  return lua_yield(L, lua_gettop(L));
}

int coroutines_isyieldable(lua_State *L) {
  lua_State *thread = lua_isthread(L, 1) ? lua_tothread(L, 1) : L;
  lua_pushboolean(L, thread != run_of(L)->body && lua_isyieldable(thread));
  return 1;
}

int coroutines_running(lua_State *L) {
  lua_pushthread(L);
  lua_pushboolean(L, L == run_of(L)->body);
  return 2;
}
