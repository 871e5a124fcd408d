// What the functions that replace Lua's own unbounded ones (strings, patterns, tables) share with
// the run that calls them.
#ifndef FETCHRUN_BOUNDED_H
#define FETCHRUN_BOUNDED_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

// To be called about every 1,000 steps of a loop that runs in C (a step: a byte, a comparison).
// Cheap: looks at a flag that the CPU tick sets. When the run is dead it does not return: it raises
// an error that no pcall of this Lua environment catches. Holds nothing that must be released.
void lua_bounded_check(lua_State *L);

// Each pushes one table: `string` (and sets it as the metatable's __index of strings), `table`,
// `utf8`.
void lua_bounded_open_strings(lua_State *L);
void lua_bounded_open_tables(lua_State *L);
void lua_bounded_open_utf8(lua_State *L);

#endif
