// Lua 5.4's patterns by the manual's description (§6.4.1), with a count of the work: for any
// pattern and subject, lua_bounded_check is called every few microseconds. Searches look ahead for
// the literal bytes that must come next, which removes most of the usual backtracking.
#ifndef FETCHRUN_PATTERN_H
#define FETCHRUN_PATTERN_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bounded_limits.h"
#include "byte_set.h"

// The kept bitmaps of sets, and kept look-aheads; a pattern with more recomputes them at each
// visit.
#define PATTERN_SETS_KEPT 4
#define PATTERN_AHEADS_KEPT 4
#define PATTERN_AHEAD_BYTES 14

typedef struct {
  const char *start;
  ptrdiff_t length; // or one of those:
} pattern_capture;
#define CAPTURE_OPEN (-1)
#define CAPTURE_POSITION (-2)

// `[...]` in the pattern.
typedef struct {
  const char *start;
  const char *end;
  byte_set bytes;
} pattern_set;

// The literal bytes that begin any match from `tail`, and how many captures are opened or closed
// before the last of them.
typedef struct {
  const char *tail;
  uint8_t count;
  uint8_t captures;
  char bytes[PATTERN_AHEAD_BYTES];
} pattern_ahead;

typedef struct {
  lua_State *state;
  const char *subject;
  const char *subject_end;
  const char *pattern;
  const char *pattern_end;
  size_t steps; // until the next check
  int depth;    // C calls left
  int level;    // captures, open ones and closed ones
  int set_count;
  int ahead_count;
  bool prepared;           // the two below are known
  pattern_ahead beginning; // what a match begins with ...
  const byte_set *first;   // ... or NULL, or the set of bytes that it begins with
  bool first_is_negated;
  pattern_ahead aheads[PATTERN_AHEADS_KEPT];
  pattern_set sets[PATTERN_SETS_KEPT];
  pattern_capture captures[PATTERN_CAPTURES_MAX];
} lua_pattern;

// Prepares a pattern, without a leading anchor `^`. Subject and pattern must outlive `pattern`.
void lua_pattern_open(
    lua_pattern *pattern, lua_State *L, const char *subject, size_t subject_count,
    const char *bytes, size_t count);

// Returns the end of the match that begins at `start`, or NULL.
const char *lua_pattern_match(lua_pattern *pattern, const char *start);

// Returns the end of the first match at or after `*start` that does not end at `refused`, or NULL;
// moves `*start` to its beginning.
const char *lua_pattern_scan(
    lua_pattern *pattern, const char **start, const char *refused);

// Pushes one capture (0: the first, or the whole match if there are none).
void lua_pattern_push_capture(
    lua_pattern *pattern, int number, const char *start, const char *end);

// Pushes all captures, or the whole match if there are none and `start` is not NULL; returns the
// count.
int lua_pattern_push_captures(lua_pattern *pattern, const char *start, const char *end);

#endif
