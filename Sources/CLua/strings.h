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

// Works like luaL_tolstring, but never shows the address of a table, function, thread or
// userdata. An address would reveal memory to a plugin and make runs differ.
const char *lua_bounded_tolstring(lua_State *L, int index, size_t *count);

// Converts a script's position, which is counted from 1 or from the end, to a place that is counted
// from 0. The first place is at least 0. The last place is exclusive and at most `count`.
size_t lua_bounded_first_place(lua_Integer place, size_t count);
size_t lua_bounded_last_place(lua_Integer place, size_t count);

#endif
