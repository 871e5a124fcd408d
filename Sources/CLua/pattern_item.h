// One item of a pattern that matches a single byte: `x`, `.`, `%a`, `[set]`.
#ifndef FETCHRUN_PATTERN_ITEM_H
#define FETCHRUN_PATTERN_ITEM_H

#include "pattern.h"

#define PATTERN_ESCAPE '%'

typedef enum { ITEM_BYTE, ITEM_ANY, ITEM_SET } pattern_item_kind;

typedef struct {
  pattern_item_kind kind;
  unsigned char byte;
  bool negated;
  const byte_set *set;
  const char *end; // of the item in the pattern, where a quantifier may follow
  byte_set own;    // a set that the pattern does not store, because it has too many sets
} pattern_item;

// Reads the item at `at`, which starts with `%` or `[`; raises Lua's error if the item is
// malformed.
void lua_pattern_read_class(lua_pattern *pattern, const char *at, pattern_item *item);

// Reads any item.
static inline void lua_pattern_read_item(
    lua_pattern *pattern, const char *at, pattern_item *item) {
  if (*at == PATTERN_ESCAPE || *at == '[') {
    lua_pattern_read_class(pattern, at, item);
    return;
  }
  item->kind = *at == '.' ? ITEM_ANY : ITEM_BYTE;
  item->byte = (unsigned char)*at;
  item->end = at + 1;
}

static inline bool pattern_item_accepts(const pattern_item *item, char byte) {
  switch (item->kind) {
    case ITEM_BYTE: return (unsigned char)byte == item->byte;
    case ITEM_ANY: return true;
    case ITEM_SET: return byte_set_has(item->set, (unsigned char)byte) != item->negated;
  }
  return false;
}

// Computes the bytes with which a match of the pattern from `at` on begins, given the captures that
// are open there.
void lua_pattern_look_ahead(lua_pattern *pattern, const char *at, pattern_ahead *ahead);

// Returns the next place at or after `from` with the look-ahead's bytes, or NULL.
const char *lua_pattern_find_ahead(
    lua_pattern *pattern, const pattern_ahead *ahead, const char *from);

// Checks the run, and restores the number of steps until the next check.
void lua_pattern_check(lua_pattern *pattern);
static inline void lua_pattern_spend(lua_pattern *pattern, size_t steps) {
  if (steps < pattern->steps) {
    pattern->steps -= steps;
  } else {
    lua_pattern_check(pattern);
  }
}

#endif
