// The functions of `string` that replace Lua's own, in several files.
#ifndef FETCHRUN_STRINGS_H
#define FETCHRUN_STRINGS_H

#include <lua.h>
#include <stddef.h>

int lua_string_find(lua_State *L);
int lua_string_match(lua_State *L);
int lua_string_gmatch(lua_State *L);
int lua_string_gsub(lua_State *L);
int lua_string_format(lua_State *L);

// Works like luaL_tolstring, but tables, functions, threads and userdata without a name do not show
// their address: it would reveal memory to a plugin and make runs differ.
const char *lua_bounded_tolstring(lua_State *L, int index, size_t *count);

// Converts a script's place, 1-based or from the end, to one from 0: the first is at least 0, the
// last at most `count` and exclusive.
size_t lua_bounded_first_place(lua_Integer place, size_t count);
size_t lua_bounded_last_place(lua_Integer place, size_t count);

#endif
