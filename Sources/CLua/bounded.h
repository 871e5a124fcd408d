// The interface between the run and the functions that replace Lua's own unbounded ones (strings,
// patterns, tables).
#ifndef FETCHRUN_BOUNDED_H
#define FETCHRUN_BOUNDED_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

// Checks the limits of the run. Call it about every 1,000 steps of a loop in C, where a step is a
// byte or a comparison. The call is cheap, because it reads a flag that the CPU tick sets. If the
// run must end, the function does not return but jumps out of all Lua and C frames, and no pcall
// catches that. The caller may therefore own nothing that it must release.
void lua_bounded_check(lua_State *L);

// Each function pushes one table: `string` (which also becomes `__index` in the metatable of
// strings), `table` or `utf8`.
void lua_bounded_open_strings(lua_State *L);
void lua_bounded_open_tables(lua_State *L);
void lua_bounded_open_utf8(lua_State *L);

#endif
