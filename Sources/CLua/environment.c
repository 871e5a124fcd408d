// The environment of a plugin as data. These lists contain every name that exists at the start of a
// run.
#include "state.h"

#include <string.h>

lua_environment environment;
lua_CFunction environment_ipairs, environment_pairs;
lua_CFunction environment_ipairs_next, environment_next;

// A function of a library: the function `own`, or Lua's function with the same name if `own` is
// NULL.
typedef struct {
  const char *name;
  lua_CFunction own;
} entry;

static const entry base_entries[] = {
    {"assert", NULL},
    {"collectgarbage", base_collectgarbage},
    {"error", NULL},
    {"getmetatable", NULL},
    {"ipairs", base_ipairs},
    {"load", base_load},
    {"next", NULL},
    {"pairs", base_pairs},
    {"pcall", base_pcall},
    {"rawequal", NULL},
    {"rawget", NULL},
    {"rawlen", NULL},
    {"rawset", NULL},
    {"select", NULL},
    {"setmetatable", base_setmetatable},
    {"tonumber", NULL},
    {"tostring", base_tostring},
    {"type", NULL},
    {"xpcall", base_xpcall},
};

// `close` is missing, because nested closing overruns the C stack in 5.4.4.
static const entry coroutine_entries[] = {
    {"create", NULL},
    {"isyieldable", coroutines_isyieldable},
    {"resume", coroutines_resume},
    {"running", coroutines_running},
    {"status", NULL},
    {"wrap", coroutines_wrap},
    {"yield", coroutines_yield},
};

static const entry math_entries[] = {
    {"abs", NULL},    {"acos", NULL},
    {"asin", NULL},   {"atan", NULL},
    {"ceil", NULL},   {"cos", NULL},
    {"deg", NULL},    {"exp", NULL},
    {"floor", NULL},  {"fmod", NULL},
    {"log", NULL},    {"max", extremes_max},
    {"min", extremes_min},    {"modf", NULL},
    {"rad", NULL},    {"random", random_random},
    {"sin", NULL},    {"sqrt", NULL},
    {"tan", NULL},    {"tointeger", NULL},
    {"type", NULL},   {"ult", NULL},
    {"randomseed", random_randomseed},
};

#define COUNT(entries) (sizeof entries / sizeof *entries)

// The functions to register, both fetchrun's and Lua's. lua_environment_prepare fills the lists
// once.
static lua_CFunction base_functions[COUNT(base_entries)];
static lua_CFunction coroutine_functions[COUNT(coroutine_entries)];
static lua_CFunction math_functions[COUNT(math_entries)];

static void set_functions(
    lua_State *L, const entry *entries, const lua_CFunction *functions, size_t count) {
  for (size_t i = 0; i < count; i++) {
    lua_pushcfunction(L, functions[i]);
    lua_setfield(L, -2, entries[i].name);
  }
}

static void open_math(lua_State *L) {
  lua_createtable(L, 0, COUNT(math_entries) + 4);
  set_functions(L, math_entries, math_functions, COUNT(math_entries));
  lua_pushnumber(L, 3.141592653589793);
  lua_setfield(L, -2, "pi");
  lua_pushnumber(L, __builtin_huge_val());
  lua_setfield(L, -2, "huge");
  lua_pushinteger(L, LUA_MAXINTEGER);
  lua_setfield(L, -2, "maxinteger");
  lua_pushinteger(L, LUA_MININTEGER);
  lua_setfield(L, -2, "mininteger");
}

static void open_coroutine(lua_State *L) {
  lua_createtable(L, 0, COUNT(coroutine_entries));
  set_functions(L, coroutine_entries, coroutine_functions, COUNT(coroutine_entries));
}

typedef struct {
  const char *name;
  void (*open)(lua_State *L);
} library_entry;

static const library_entry library_entries[] = {
    {"coroutine", open_coroutine},          {"math", open_math},
    {"string", lua_bounded_open_strings},   {"table", lua_bounded_open_tables},
    {"utf8", lua_bounded_open_utf8},
};

#define GLOBALS_COUNT (COUNT(base_entries) + COUNT(library_entries) + 2)

// Protects the metatable that all strings share, so that no plugin reaches it.
static void protect_string_metatable(lua_State *L) {
  lua_pushliteral(L, "");
  if (lua_getmetatable(L, -1)) {
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void environment_open(lua_State *L) {
  lua_createtable(L, 0, GLOBALS_COUNT);
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  set_functions(L, base_entries, base_functions, COUNT(base_entries));
  for (size_t i = 0; i < COUNT(library_entries); i++) {
    library_entries[i].open(L);
    lua_setfield(L, -2, library_entries[i].name);
  }
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "_G");
  lua_pushliteral(L, LUA_VERSION);
  lua_setfield(L, -2, "_VERSION");
  globals_make_strict(L);
  lua_pop(L, 1);
  protect_string_metatable(L);
}

void environment_push_base(lua_State *L, int more) {
  lua_createtable(L, 0, (int)COUNT(base_entries) + more);
  set_functions(L, base_entries, base_functions, COUNT(base_entries));
}

// Reads Lua's own functions from the library table on top of the stack.
static bool take_functions(
    lua_State *L, const entry *entries, lua_CFunction *functions, size_t count) {
  for (size_t i = 0; i < count; i++) {
    functions[i] = entries[i].own;
    if (functions[i] == NULL) {
      lua_getfield(L, -1, entries[i].name);
      functions[i] = lua_tocfunction(L, -1);
      lua_pop(L, 1);
    }
    if (functions[i] == NULL) return false;
  }
  return true;
}

static bool take_library(
    lua_State *L, lua_CFunction open, const char *name, const entry *entries,
    lua_CFunction *functions, size_t count) {
  luaL_requiref(L, name, open, 0);
  bool complete = take_functions(L, entries, functions, count);
  lua_pop(L, 1);
  return complete;
}

#define TAKE(L, open, name, of) \
  take_library(L, open, name, of##_entries, of##_functions, COUNT(of##_entries))

// Returns a function of Lua's base library, which its replacement calls after some checks.
static lua_CFunction take_base(lua_State *L, const char *name) {
  luaL_requiref(L, LUA_GNAME, luaopen_base, 0);
  lua_getfield(L, -1, name);
  lua_CFunction function = lua_tocfunction(L, -1);
  lua_pop(L, 2);
  return function;
}

// Returns the iterator of `ipairs`, which has no name.
static lua_CFunction take_ipairs_next(lua_State *L) {
  if (environment_ipairs == NULL) return NULL;
  lua_pushcfunction(L, environment_ipairs);
  lua_newtable(L);
  lua_call(L, 1, 1);
  lua_CFunction function = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  return function;
}

static const char *take_all(void) {
  lua_State *L = luaL_newstate();
  if (L == NULL) return "no memory for a Lua state";
  environment_ipairs = take_base(L, "ipairs");
  environment_pairs = take_base(L, "pairs");
  environment_next = take_base(L, "next");
  environment_ipairs_next = take_ipairs_next(L);
  bool complete = TAKE(L, luaopen_base, LUA_GNAME, base) &&
                  TAKE(L, luaopen_coroutine, LUA_COLIBNAME, coroutine) &&
                  TAKE(L, luaopen_math, LUA_MATHLIBNAME, math) &&
                  environment_ipairs_next != NULL && environment_pairs != NULL &&
                  environment_next != NULL;
  lua_close(L);
  return complete ? NULL : "this Lua lacks functions that plugins rely on";
}

const char *lua_environment_prepare(const lua_environment *given) {
  if (lua_version(NULL) != LUA_VERSION_NUM) return "the linked Lua is not version 5.4";
  environment = *given;
  internals_prepare();
  const char *problem = take_all();
  return problem != NULL ? problem : tick_prepare();
}
