#include "strings.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bounded.h"
#include "bounded_limits.h"

size_t lua_bounded_first_place(lua_Integer place, size_t count) {
  if (place > 0) return (size_t)place - 1;
  if (place == 0 || place < -(lua_Integer)count) return 0;
  return count - (size_t)(-place);
}

size_t lua_bounded_last_place(lua_Integer place, size_t count) {
  if (place > (lua_Integer)count) return count;
  if (place >= 0) return (size_t)place;
  if (place < -(lua_Integer)count) return 0;
  return count - (size_t)(-place) + 1;
}

const char *lua_bounded_tolstring(lua_State *L, int index, size_t *count) {
  int type = lua_type(L, index);
  bool has_address = type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD ||
                     type == LUA_TUSERDATA || type == LUA_TLIGHTUSERDATA;
  if (!has_address) return luaL_tolstring(L, index, count);
  if (luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
    lua_pop(L, 1);
    return luaL_tolstring(L, index, count);
  }
  int name = luaL_getmetafield(L, index, "__name");
  if (name != LUA_TSTRING) {
    if (name != LUA_TNIL) lua_pop(L, 1);
    lua_pushstring(L, lua_typename(L, type));
  }
  return lua_tolstring(L, -1, count);
}

// string.byte(s [, i [, j]])
static int string_byte(lua_State *L) {
  size_t count;
  const char *bytes = luaL_checklstring(L, 1, &count);
  lua_Integer place = luaL_optinteger(L, 2, 1);
  size_t first = lua_bounded_first_place(place, count);
  size_t end = lua_bounded_last_place(luaL_optinteger(L, 3, place), count);
  if (first >= end) return 0;
  if (end - first > VALUES_MAX) return luaL_error(L, "string slice too long");
  if (end - first > 1) luaL_checkstack(L, (int)(end - first), "string slice too long");
  for (size_t i = first; i < end; i++) lua_pushinteger(L, (unsigned char)bytes[i]);
  return (int)(end - first);
}

// string.char(...)
static int string_char(lua_State *L) {
  int count = lua_gettop(L);
  if (count > VALUES_MAX) return luaL_error(L, "string slice too long");
  char bytes[VALUES_MAX];
  for (int i = 0; i < count; i++) {
    lua_bounded_check(L); // Lua may have to read a long string as a number
    lua_Integer value = luaL_checkinteger(L, i + 1);
    luaL_argcheck(L, value >= 0 && value <= UINT8_MAX, i + 1, "value out of range");
    bytes[i] = (char)value;
  }
  lua_pushlstring(L, bytes, (size_t)count);
  return 1;
}

// string.rep(s, n [, sep])
static int string_rep(lua_State *L) {
  size_t count, separator_count;
  const char *bytes = luaL_checklstring(L, 1, &count);
  lua_Integer times = luaL_checkinteger(L, 2);
  const char *separator = luaL_optlstring(L, 3, "", &separator_count);
  if (times <= 0 || (count == 0 && separator_count == 0)) {
    lua_pushliteral(L, "");
    return 1;
  }
  if (times == 1) {
    lua_settop(L, 1);
    return 1;
  }
  size_t step;
  if (__builtin_add_overflow(count, separator_count, &step) ||
      step > (size_t)LUA_MAXINTEGER / (size_t)times) {
    return luaL_error(L, "resulting string too large");
  }
  size_t total = step * (size_t)times - separator_count;
  char *result = lua_newuserdatauv(L, total, 0);
  memcpy(result, bytes, count);
  size_t done = count;
  if (done < total) {
    memcpy(result + done, separator, separator_count);
    done += separator_count;
  }
  while (done < total) { // copies twice as much each time
    size_t more = done < total - done ? done : total - done;
    if (more > SEARCH_CHUNK_BYTES) lua_bounded_check(L);
    memcpy(result + done, result, more);
    done += more;
  }
  lua_pushlstring(L, result, total);
  return 1;
}

// string.pack(fmt, ...): calls Lua's own function after it has checked that the work is bounded.
static int string_pack(lua_State *L) {
  size_t total = 0;
  int count = lua_gettop(L);
  for (int i = 1; i <= count && count > PACK_ARGUMENTS_UNCHECKED; i++) {
    if (lua_type(L, i) == LUA_TSTRING) total += lua_rawlen(L, i);
    if (total > PACK_ARGUMENT_BYTES_MAX) return luaL_error(L, "format result too large");
  }
  lua_CFunction stock = lua_tocfunction(L, lua_upvalueindex(1));
  return stock(L);
}

static const luaL_Reg replacements[] = {
    {"byte", string_byte},
    {"char", string_char},
    {"find", lua_string_find},
    {"format", lua_string_format},
    {"gmatch", lua_string_gmatch},
    {"gsub", lua_string_gsub},
    {"match", lua_string_match},
    {"rep", string_rep},
    {NULL, NULL},
};

// Replaces Lua's own functions, except those whose work is bounded by the size of their arguments:
// len, lower, upper, reverse, sub, packsize, unpack, and the arithmetic of strings.
void lua_bounded_open_strings(lua_State *L) {
  luaopen_string(L);
  luaL_setfuncs(L, replacements, 0);
  lua_pushnil(L);
  lua_setfield(L, -2, "dump");
  lua_getfield(L, -1, "pack");
  lua_pushcclosure(L, string_pack, 1);
  lua_setfield(L, -2, "pack");
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}
