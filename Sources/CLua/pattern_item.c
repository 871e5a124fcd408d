#include "pattern_item.h"

#include <string.h>

#include "bounded.h"
#include "bytes_find.h"

// Returns the set that the letter of an escape names, or NULL for a literal letter.
static const byte_set *class_of_escape(char letter, bool *negated) {
  *negated = letter >= 'A' && letter <= 'Z';
  return byte_set_of_class(*negated ? (char)(letter - 'A' + 'a') : letter);
}

// Returns the place of the closing bracket; `at` points to the byte after `[`.
static const char *end_of_set(lua_pattern *pattern, const char *at) {
  if (*at == '^') at++;
  do { // a first bracket is literal
    if (at == pattern->pattern_end) {
      luaL_error(pattern->state, "malformed pattern (missing ']')");
    }
    if (*at++ == PATTERN_ESCAPE && at < pattern->pattern_end) at++;
  } while (*at != ']');
  return at;
}

static void read_set_bytes(const char *at, const char *bracket, byte_set *bytes) {
  bool is_complement = *at == '^';
  if (is_complement) at++;
  *bytes = (byte_set){{0}};
  for (; at < bracket; at++) {
    if (*at == PATTERN_ESCAPE) {
      bool negated;
      const byte_set *class = class_of_escape(*++at, &negated);
      if (class != NULL) {
        byte_set_add_all(bytes, class, negated);
      } else {
        byte_set_add(bytes, (unsigned char)*at);
      }
    } else if (at[1] == '-' && at + 2 < bracket) {
      for (int c = (unsigned char)at[0]; c <= (unsigned char)at[2]; c++) {
        byte_set_add(bytes, (unsigned char)c);
      }
      at += 2;
    } else {
      byte_set_add(bytes, (unsigned char)*at);
    }
  }
  if (!is_complement) return;
  for (int i = 0; i < 4; i++) bytes->words[i] = ~bytes->words[i];
}

static void read_set(lua_pattern *pattern, const char *at, pattern_item *item) {
  item->kind = ITEM_SET;
  item->negated = false;
  for (int i = 0; i < pattern->set_count; i++) {
    const pattern_set *known = &pattern->sets[i];
    if (known->start != at) continue;
    item->set = &known->bytes;
    item->end = known->end;
    return;
  }
  const char *bracket = end_of_set(pattern, at + 1);
  lua_pattern_spend(pattern, (size_t)(bracket - at));
  item->end = bracket + 1;
  byte_set *bytes = &item->own;
  if (pattern->set_count < PATTERN_SETS_KEPT) {
    pattern_set *kept = &pattern->sets[pattern->set_count++];
    kept->start = at;
    kept->end = item->end;
    bytes = &kept->bytes;
  }
  read_set_bytes(at + 1, bracket, bytes);
  item->set = bytes;
}

void lua_pattern_read_class(lua_pattern *pattern, const char *at, pattern_item *item) {
  if (*at == '[') {
    read_set(pattern, at, item);
    return;
  }
  if (at + 1 == pattern->pattern_end) {
    luaL_error(pattern->state, "malformed pattern (ends with '%%')");
  }
  item->set = class_of_escape(at[1], &item->negated);
  item->kind = item->set != NULL ? ITEM_SET : ITEM_BYTE;
  item->byte = (unsigned char)at[1];
  item->end = at + 2;
}

// Returns the literal byte of the item at `at`, or -1; sets `*next` to the place after the item.
static int literal_byte(const lua_pattern *pattern, const char *at, const char **next) {
  if (at == pattern->pattern_end) return -1;
  *next = at + 1;
  switch (*at) {
    case '(':
    case ')':
    case '.':
    case '[': return -1;
    case '$': return at + 1 == pattern->pattern_end ? -1 : '$';
    case PATTERN_ESCAPE: {
      unsigned char escaped = (unsigned char)at[1];
      if (at + 1 == pattern->pattern_end) return -1;
      if (byte_set_has(byte_set_of_class('w'), escaped)) return -1;
      *next = at + 2;
      return escaped;
    }
    default: return (unsigned char)*at;
  }
}

void lua_pattern_look_ahead(lua_pattern *pattern, const char *at, pattern_ahead *ahead) {
  int level = pattern->level;
  int open = 0;
  for (int i = 0; i < level; i++) open += pattern->captures[i].length == CAPTURE_OPEN;
  ahead->tail = at;
  ahead->count = 0;
  ahead->captures = 0;
  // A capture that would raise an error ends the look-ahead, because the match itself must raise
  // that error.
  while (at < pattern->pattern_end && ahead->count < PATTERN_AHEAD_BYTES) {
    if (*at == '(') {
      if (level == PATTERN_CAPTURES_MAX) return;
      level++;
      ahead->captures++;
      if (at[1] == ')') at++; else open++;
      at++;
    } else if (*at == ')') {
      if (open == 0) return;
      open--;
      ahead->captures++;
      at++;
    } else {
      const char *next;
      int byte = literal_byte(pattern, at, &next);
      if (byte < 0 || *next == '*' || *next == '?' || *next == '-') return;
      ahead->bytes[ahead->count++] = (char)byte;
      if (*next == '+') return;
      at = next;
    }
  }
}

const char *lua_pattern_find_ahead(
    lua_pattern *pattern, const pattern_ahead *ahead, const char *from) {
  while (true) {
    size_t rest = (size_t)(pattern->subject_end - from);
    if (rest < ahead->count) return NULL;
    size_t chunk = rest < SEARCH_CHUNK_BYTES ? rest : SEARCH_CHUNK_BYTES;
    const char *hit = bytes_find(from, chunk, ahead->bytes, ahead->count);
    lua_pattern_spend(pattern, 1 + (hit != NULL ? (size_t)(hit - from) : chunk) / BYTES_PER_STEP);
    if (hit != NULL || chunk == rest) return hit;
    from += chunk - ahead->count + 1u;
  }
}

void lua_pattern_check(lua_pattern *pattern) {
  pattern->steps = STEPS_PER_CHECK;
  lua_bounded_check(pattern->state);
}
