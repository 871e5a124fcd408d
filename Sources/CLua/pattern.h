// Lua 5.4's patterns as the manual describes them (§6.4.1), with a count of the steps. For any
// pattern and subject, lua_bounded_check is called every few microseconds. A search first looks for
// the literal bytes that must come next, which avoids most of the usual backtracking.
#ifndef FETCHRUN_PATTERN_H
#define FETCHRUN_PATTERN_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bounded_limits.h"
#include "byte_set.h"

// The maximum numbers of stored bitmaps of sets and stored look-aheads. If a pattern has more of
// them, the others are computed again each time.
#define PATTERN_SETS_KEPT 4
#define PATTERN_AHEADS_KEPT 4
#define PATTERN_AHEAD_BYTES 14

typedef struct {
  const char *start;
  ptrdiff_t length; // or one of these:
} pattern_capture;
#define CAPTURE_OPEN (-1)
#define CAPTURE_POSITION (-2)

// `[...]` in the pattern.
typedef struct {
  const char *start;
  const char *end;
  byte_set bytes;
} pattern_set;

// The literal bytes with which any match of the pattern from `tail` on begins, and the number of
// captures that are opened or closed before the last of these bytes.
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
  int depth;    // C calls that are still allowed
  int level;    // captures, open and closed ones together
  int set_count;
  int ahead_count;
  bool prepared;           // the following two are computed
  pattern_ahead beginning; // the bytes with which a match begins
  const byte_set *first;   // the set of bytes with which a match begins; NULL if not known
  bool first_is_negated;
  pattern_ahead aheads[PATTERN_AHEADS_KEPT];
  pattern_set sets[PATTERN_SETS_KEPT];
  pattern_capture captures[PATTERN_CAPTURES_MAX];
} lua_pattern;

// Prepares a pattern without its leading anchor `^`. The subject and the pattern's bytes must
// outlive `pattern`.
void lua_pattern_open(
    lua_pattern *pattern, lua_State *L, const char *subject, size_t subject_count,
    const char *bytes, size_t count);

// Returns the end of the match that begins at `start`, or NULL.
const char *lua_pattern_match(lua_pattern *pattern, const char *start);

// Returns the end of the first match at or after `*start` that does not end at `refused`, or NULL.
// Moves `*start` to the beginning of the match.
const char *lua_pattern_scan(
    lua_pattern *pattern, const char **start, const char *refused);

// Pushes one capture. Number 0 is the first capture, or the whole match if the pattern has no
// captures.
void lua_pattern_push_capture(
    lua_pattern *pattern, int number, const char *start, const char *end);

// Pushes all captures, or the whole match if the pattern has no captures and `start` is not NULL.
// Returns the number of pushed values.
int lua_pattern_push_captures(lua_pattern *pattern, const char *start, const char *end);

#endif
