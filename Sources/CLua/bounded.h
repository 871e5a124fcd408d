// The interface between the run and the functions that replace Lua's own unbounded ones (strings,
// patterns, tables).
#ifndef FETCHRUN_BOUNDED_H
#define FETCHRUN_BOUNDED_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

// Checks the run; call it about every 1,000 steps of a loop in C (a step: a byte, a comparison). It
// is cheap: it reads a flag that the CPU tick sets. If the run is dead it does not return but
// raises an error that no pcall of this Lua environment catches. The caller may hold nothing to
// release.
void lua_bounded_check(lua_State *L);

// Each pushes one table: `string` (also set as the metatable's __index of strings), `table`,
// `utf8`.
void lua_bounded_open_strings(lua_State *L);
void lua_bounded_open_tables(lua_State *L);
void lua_bounded_open_utf8(lua_State *L);

#endif
