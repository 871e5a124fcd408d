// The functions of `string` that are not Lua's own, spread over a few files.
#ifndef FETCHRUN_STRINGS_H
#define FETCHRUN_STRINGS_H

#include <lua.h>
#include <stddef.h>

int lua_string_find(lua_State *L);
int lua_string_match(lua_State *L);
int lua_string_gmatch(lua_State *L);
int lua_string_gsub(lua_State *L);
int lua_string_format(lua_State *L);

// Like luaL_tolstring, but tables, functions, threads and userdata without a name of their own do
// not show their address, which would tell a plugin where memory is and make runs differ.
const char *lua_bounded_tolstring(lua_State *L, int index, size_t *count);

// Counts a place given by the script, 1-based or from the end, as a place from 0 on: the first at
// least 0, the last at most `count`, and exclusive.
size_t lua_bounded_first_place(lua_Integer place, size_t count);
size_t lua_bounded_last_place(lua_Integer place, size_t count);

#endif
