// The table `fetchrun`, through which trusted Lua code calls functions outside Lua.
#include "state.h"

#include <string.h>
#include <time.h>

#define ENTRIES_PER_CHECK 1000

static const char privileged_key = 0;
static const char trusted_key = 0;

// Raises the message on top of the stack at the plugin's line.
static int raise_at_plugin(lua_State *L) {
  failure_push_position(L);
  lua_insert(L, -2);
  lua_concat(L, 2);
  return lua_error(L);
}

static int finish_call(lua_State *L, int status, lua_KContext context) {
  (void)status;
  (void)context;
  lua_run *run = run_of(L);
  run->pending = PENDING_NONE;
  lua_settop(L, 0);
  if (run->message_failed) {
    lua_pushlstring(L, (const char *)run->message, run->message_count);
    return raise_at_plugin(L);
  }
  return values_decode_list(L, run->message, run->message_count);
}

static int call(lua_State *L) {
  lua_run *run = run_of(L);
  const char *name = luaL_checkstring(L, 1);
  if (run->unyieldable > 0 || !lua_isyieldable(L)) {
    lua_pushfstring(
        L, "'%s' cannot wait inside a metamethod, a sort comparator, a gsub callback or a "
        "message handler", name);
    return raise_at_plugin(L);
  }
  values_encode_arguments(L, 1, &run->output);
  run->pending = PENDING_REQUEST;
  return lua_yieldk(L, 0, 0, finish_call);
}

int privileged_notify(lua_State *L) {
  lua_run *run = run_of(L);
  luaL_checkstring(L, 1);
  values_encode_arguments(L, 1, &run->arguments);
  int refused = environment.notify(run->context, run->arguments.bytes, run->arguments.count);
  run_reset_buffer(&run->arguments);
  if (refused != 0) lua_run_kill(run, refused);
  if (run->death != LUA_DEATH_NONE) run_escape(run);
  return 0;
}

static int call_library(lua_State *L) {
  lua_run *run = run_of(L);
  uint32_t number = (uint32_t)lua_tointeger(L, lua_upvalueindex(1));
  values_encode_arguments(L, 1, &run->arguments);
  lua_settop(L, 0);
  run->answer.count = 0;
  int outcome = environment.library(
      run->context, number, run->arguments.bytes, run->arguments.count, &run->answer);
  run_reset_buffer(&run->arguments);
  if (run->death != LUA_DEATH_NONE) run_escape(run);
  lua_bounded_check(L);
  const uint8_t *bytes = run->answer.bytes != NULL ? run->answer.bytes : (const uint8_t *)"";
  int count = 2;
  if (outcome == 0) {
    count = values_decode_list(L, bytes, run->answer.count);
  } else if (outcome == 3) {
    values_push_null(L);
    count = 1;
  } else {
    lua_pushnil(L);
    lua_pushlstring(L, (const char *)bytes, run->answer.count);
  }
  run_reset_buffer(&run->answer);
  return outcome == 1 ? raise_at_plugin(L) : count;
}

static int library(lua_State *L) {
  lua_Integer number = luaL_checkinteger(L, 1);
  luaL_argcheck(L, number >= 0 && number <= UINT32_MAX, 1, "not a library function");
  lua_pushinteger(L, number);
  lua_pushcclosure(L, call_library, 1);
  return 1;
}

static int clock_seconds(lua_State *L) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  lua_pushnumber(L, (lua_Number)time.tv_sec + (lua_Number)time.tv_nsec * 1e-9);
  return 1;
}

static int chunk(lua_State *L) {
  const lua_chunk *found = run_find_chunk(run_of(L), luaL_checkstring(L, 1));
  if (found == NULL) {
    lua_pushnil(L);
  } else {
    privileged_push_chunk(L, found);
  }
  return 1;
}

static int fail(lua_State *L) {
  failure_raise(L, luaL_checkstring(L, 1), luaL_checkstring(L, 2));
}

// fetchrun.count(table): returns the length of a list. For any other table it returns nil and a key
// that is not an integer, or only nil if the list has holes.
static int count_list(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Unsigned count = lua_rawlen(L, 1), entries = 0;
  lua_pushnil(L);
  while (lua_next(L, 1) != 0) {
    lua_pop(L, 1);
    if (!lua_isinteger(L, -1)) {
      lua_pushnil(L);
      lua_insert(L, -2);
      return 2;
    }
    entries++;
    if (entries % ENTRIES_PER_CHECK == 0) lua_bounded_check(L);
  }
  if (entries != count) return 0;
  lua_pushinteger(L, (lua_Integer)count);
  return 1;
}

// fetchrun.kind(value): returns the type of a value for a message: `nil`, or for example `a table`.
static int kind(lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    lua_pushliteral(L, "nil");
  } else {
    lua_pushfstring(L, "a %s", luaL_typename(L, 1));
  }
  return 1;
}

static const luaL_Reg functions[] = {
    {"array", values_array},  {"call", call},                {"chunk", chunk},
    {"clock", clock_seconds}, {"count", count_list},         {"fail", fail},
    {"kind", kind},           {"library", library},          {"notify", privileged_notify},
    {NULL, NULL},
};

void privileged_push(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &privileged_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  luaL_newlib(L, functions);
  values_push_null(L);
  lua_setfield(L, -2, "null");
  lua_pushglobaltable(L);
  lua_setfield(L, -2, "globals");
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &privileged_key);
}

// The libraries that trusted code uses.
static const char *const trusted_libraries[] = {"string", "table"};
#define LIBRARY_COUNT (sizeof trusted_libraries / sizeof *trusted_libraries)
#define LIBRARY_FUNCTIONS_EXPECTED 17

// Pushes a copy of the table on top of the stack, one level deep.
static void push_copy(lua_State *L) {
  int index = lua_gettop(L);
  lua_createtable(L, 0, LIBRARY_FUNCTIONS_EXPECTED);
  lua_pushnil(L);
  while (lua_next(L, index) != 0) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
}

// Pushes the globals of trusted chunks: Lua's own functions as they were before the plugin ran, and
// `fetchrun`. A plugin's changes to its globals therefore do not affect trusted code. The table is
// created for the first chunk of a run, which is always a trusted chunk.
static void push_trusted_globals(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &trusted_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  luaL_checkstack(L, 10, "globals");
  environment_push_base(L, LIBRARY_COUNT + 2);
  lua_pushglobaltable(L);
  for (size_t i = 0; i < LIBRARY_COUNT; i++) {
    lua_getfield(L, -1, trusted_libraries[i]);
    push_copy(L);
    lua_setfield(L, -4, trusted_libraries[i]);
    lua_pop(L, 1);
  }
  // Adds math.type, the only function of `math` that trusted code uses.
  lua_createtable(L, 0, 1);
  lua_getfield(L, -2, "math");
  lua_getfield(L, -1, "type");
  lua_setfield(L, -3, "type");
  lua_pop(L, 1);
  lua_setfield(L, -3, "math");
  lua_pop(L, 1);
  privileged_push(L);
  lua_setfield(L, -2, "fetchrun");
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &trusted_key);
}

void privileged_push_chunk(lua_State *L, const lua_chunk *chunk) {
  const lua_buffer *bytecode = code_bytecode(chunk->code);
  if (bytecode == NULL) run_die(run_of(L), LUA_DEATH_MEMORY);
  const char *bytes = (const char *)bytecode->bytes;
  int status = luaL_loadbufferx(L, bytes, bytecode->count, chunk->code->name, "b");
  if (status != LUA_OK) lua_error(L);
  if (chunk->trusted) {
    push_trusted_globals(L);
  } else {
    lua_pushglobaltable(L);
  }
  if (lua_setupvalue(L, -2, 1) == NULL) lua_pop(L, 1);
}
