// The basic functions that replace Lua's own. They behave as the manual says, unless a comment
// notes a difference.
#include <string.h>

#include "state.h"
#include "strings.h"

// The size of the pieces in which source text is passed to the parser, in bytes. The run is checked
// between two pieces.
#define SOURCE_PIECE_BYTES 4096

// Allows only the option "count". A plugin need not control the collector, because its memory limit
// applies in any case.
int base_collectgarbage(lua_State *L) {
  const char *option = luaL_optstring(L, 1, "collect");
  if (strcmp(option, "count") != 0) {
    return luaL_argerror(L, 1, lua_pushfstring(L, "'%s' is not available: use 'count'", option));
  }
  int kilobytes = lua_gc(L, LUA_GCCOUNT), bytes = lua_gc(L, LUA_GCCOUNTB);
  lua_pushnumber(L, (lua_Number)kilobytes + (lua_Number)bytes / 1024);
  return 1;
}

// Raises the error for a wrong argument immediately. Lua's own functions raise this error later, at
// the first step of the loop, and without the name of the nil value.
static void check_walkable(lua_State *L, const char *event) {
  if (lua_istable(L, 1)) return;
  // Every string has the fields of `string` but is not a list.
  bool is_text = lua_type(L, 1) == LUA_TSTRING;
  if (is_text || luaL_getmetafield(L, 1, event) == LUA_TNIL) luaL_typeerror(L, 1, "table");
  lua_settop(L, 1);
}

// Pushes what Lua's `ipairs` and `pairs` return for a table, without calling these functions, so
// that the checks above take no additional time.
static void push_iterator(lua_State *L, lua_CFunction next) {
  lua_pushcfunction(L, next);
  lua_pushvalue(L, 1);
}

int base_ipairs(lua_State *L) {
  if (!lua_istable(L, 1)) {
    check_walkable(L, "__index");
    return environment_ipairs(L);
  }
  if (lua_rawlen(L, 1) == 0) fields_warn(L, 1);
  push_iterator(L, environment_ipairs_next);
  lua_pushinteger(L, 0);
  return 3;
}

int base_pairs(lua_State *L) {
  if (!lua_istable(L, 1)) {
    check_walkable(L, "__pairs");
    return environment_pairs(L);
  }
  if (lua_getmetatable(L, 1)) {
    lua_settop(L, 1);
    return environment_pairs(L);
  }
  push_iterator(L, environment_next);
  lua_pushnil(L);
  return 3;
}

// Refuses weak tables and finalizers. Scripts can reach memory bugs of Lua 5.4.4 through them.
// Also, a finalizer runs with hooks disabled, and collecting many ephemerons takes seconds that no
// tick can interrupt.
int base_setmetatable(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
    return luaL_error(L, "cannot change a protected metatable");
  }
  static const char *const refused[] = {"__gc", "__mode"};
  for (int i = 0; i < 2 && lua_istable(L, 2); i++) {
    lua_pushstring(L, refused[i]);
    if (lua_rawget(L, 2) != LUA_TNIL) {
      return luaL_error(L, "metatables with '%s' are not available in plugins", refused[i]);
    }
    lua_pop(L, 1);
  }
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

int base_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  if (lua_touserdata(L, 1) == &values_null) {
    lua_pushliteral(L, "null");
  } else {
    lua_bounded_tolstring(L, 1, NULL);
  }
  return 1;
}

typedef struct {
  const char *text;
  size_t left;
} source_reader;

static const char *read_source(lua_State *L, void *context, size_t *count) {
  source_reader *reader = context;
  lua_bounded_check(L);
  *count = reader->left < SOURCE_PIECE_BYTES ? reader->left : SOURCE_PIECE_BYTES;
  const char *piece = reader->text;
  reader->text += *count;
  reader->left -= *count;
  return *count > 0 ? piece : NULL;
}

// Loads only strings with source text. Bytecode could crash the VM. A reader function, which
// plugins do not need, would be called from a loop in C.
int base_load(lua_State *L) {
  if (lua_type(L, 1) != LUA_TSTRING) return luaL_argerror(L, 1, "only a string can be loaded");
  source_reader reader;
  reader.text = lua_tolstring(L, 1, &reader.left);
  const char *name = luaL_optstring(L, 2, reader.text);
  const char *mode = luaL_optstring(L, 3, "t");
  bool has_environment = !lua_isnone(L, 4);
  if (strchr(mode, 't') == NULL) {
    lua_pushnil(L);
    lua_pushliteral(L, "only text can be loaded, not bytecode");
    return 2;
  }
  if (lua_load(L, read_source, &reader, name, "t") != LUA_OK) {
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
  }
  if (has_environment) {
    lua_pushvalue(L, 4);
    if (lua_setupvalue(L, -2, 1) == NULL) lua_pop(L, 1);
  }
  return 1;
}

// Returns the results of a protected call, without the `extra` values below them. If the call ran
// out of memory, ends the run. If it returned this error as the manual says, a plugin could retry
// forever.
static int finish_protected(lua_State *L, int status, lua_KContext extra) {
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)extra;
  if (status == LUA_ERRMEM) run_die(run_of(L), LUA_DEATH_MEMORY);
  failure_to_string(L);
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

int base_pcall(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_protected);
  return finish_protected(L, status, 0);
}

// Converts the error to a string and calls the plugin's message handler with it.
static int handle_message(lua_State *L) {
  failure_to_string(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

int base_xpcall(lua_State *L) {
  int count = lua_gettop(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, handle_message, 1);
  lua_replace(L, 2);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2);
  int status = lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, finish_protected);
  return finish_protected(L, status, 2);
}
