#include "bounded.h"
#include "bounded_limits.h"
#include "strings.h"

// utf8.codepoint(s [, i [, j [, lax]]]): Lua's own function with a limit on the values.
static int utf8_codepoint(lua_State *L) {
  size_t count;
  luaL_checklstring(L, 1, &count);
  lua_CFunction stock = lua_tocfunction(L, lua_upvalueindex(1));
  if (count <= VALUES_MAX) return stock(L);
  lua_Integer place = luaL_optinteger(L, 2, 1);
  size_t first = lua_bounded_first_place(place, count);
  size_t end = lua_bounded_last_place(luaL_optinteger(L, 3, place), count);
  if (first < end && end - first > VALUES_MAX) return luaL_error(L, "string slice too long");
  return stock(L);
}

// utf8.char(...): converts strings to numbers, then calls Lua's own function. The run is checked
// before each conversion, because a long string takes time to read as a number.
static int utf8_char(lua_State *L) {
  int count = lua_gettop(L);
  if (count > VALUES_MAX) return luaL_error(L, "string slice too long");
  for (int i = 1; i <= count; i++) {
    if (lua_type(L, i) != LUA_TSTRING) continue;
    lua_bounded_check(L);
    int is_integer;
    lua_Integer value = lua_tointegerx(L, i, &is_integer);
    if (!is_integer) break; // Lua's own function raises the error
    lua_pushinteger(L, value);
    lua_replace(L, i);
  }
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static void wrap(lua_State *L, const char *name, lua_CFunction function) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
}

// Keeps Lua's own len, offset and codes, which read the string at most once.
void lua_bounded_open_utf8(lua_State *L) {
  luaopen_utf8(L);
  wrap(L, "codepoint", utf8_codepoint);
  wrap(L, "char", utf8_char);
}
