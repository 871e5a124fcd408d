#ifndef FETCHRUN_TABLES_H
#define FETCHRUN_TABLES_H

#include <lua.h>
#include <stdbool.h>

#include "bounded.h"
#include "bounded_limits.h"

// The kinds of access that a function needs to a table. A value with the metamethods for these
// accesses is also accepted.
typedef enum { TABLE_READS = 1, TABLE_WRITES = 2, TABLE_MEASURES = 4 } table_uses;

void lua_table_check(lua_State *L, int argument, int uses);

// Checks the argument and returns its length, from `__len` if there is such a metamethod.
lua_Integer lua_table_length(lua_State *L, int argument, int uses);

int lua_table_sort(lua_State *L);

// Counts the rounds of a loop over elements. If accesses may call metamethods, the run is checked
// in every round, because a chain of 2,000 `__index` tables executes no Lua instruction.
typedef struct {
  lua_State *state;
  int rounds;
  int rounds_max;
} table_pace;

static inline table_pace table_pace_of(lua_State *L, int argument) {
  bool has_metatable = lua_getmetatable(L, argument);
  if (has_metatable) lua_pop(L, 1);
  int rounds_max = has_metatable ? 1 : STEPS_PER_CHECK;
  return (table_pace){L, rounds_max, rounds_max};
}

static inline void table_pace_step(table_pace *pace) {
  if (--pace->rounds > 0) return;
  pace->rounds = pace->rounds_max;
  lua_bounded_check(pace->state);
}

#endif
