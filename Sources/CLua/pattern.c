#define _GNU_SOURCE // memrchr
#include "pattern.h"

#include <string.h>

#include "bounded.h"
#include "pattern_item.h"

static const char *match_here(lua_pattern *pattern, const char *at, const char *item);

void lua_pattern_open(
    lua_pattern *pattern, lua_State *L, const char *subject, size_t subject_count,
    const char *bytes, size_t count) {
  pattern->state = L;
  pattern->subject = subject;
  pattern->subject_end = subject + subject_count;
  pattern->pattern = bytes;
  pattern->pattern_end = bytes + count;
  pattern->steps = STEPS_PER_CHECK;
  pattern->set_count = 0;
  pattern->ahead_count = 0;
  pattern->prepared = false;
}

// Returns the look-ahead for `tail`: a stored one, or a new one in `storage`. Returns NULL if the
// look-ahead is empty.
static const pattern_ahead *ahead_of(
    lua_pattern *pattern, const char *tail, pattern_ahead *storage) {
  pattern_ahead *ahead = NULL;
  for (int i = 0; i < pattern->ahead_count && ahead == NULL; i++) {
    if (pattern->aheads[i].tail == tail) ahead = &pattern->aheads[i];
  }
  if (ahead == NULL) {
    bool is_kept = pattern->ahead_count < PATTERN_AHEADS_KEPT;
    ahead = is_kept ? &pattern->aheads[pattern->ahead_count++] : storage;
    lua_pattern_look_ahead(pattern, tail, ahead);
  }
  // If the captures before `tail` would exceed the depth limit, the match itself must raise the
  // error.
  return ahead->count > 0 && pattern->depth > ahead->captures ? ahead : NULL;
}

static const char *last_byte(const char *from, char byte, size_t count) {
#ifdef __linux__
  return memrchr(from, byte, count);
#else
  while (count > 0) {
    if (from[--count] == byte) return from + count;
  }
  return NULL;
#endif
}

// Returns the end of the item's longest repetition from `at`.
static const char *end_of_span(lua_pattern *pattern, const char *at, const pattern_item *item) {
  const char *end = pattern->subject_end;
  const char *start = at;
  switch (item->kind) {
    case ITEM_ANY: return end;
    case ITEM_BYTE:
      while (at < end && (unsigned char)*at == item->byte) at++;
      break;
    case ITEM_SET: {
      const byte_set *set = item->set;
      bool wanted = !item->negated;
      while (at < end && byte_set_has(set, (unsigned char)*at) == wanted) at++;
      break;
    }
  }
  lua_pattern_spend(pattern, (size_t)(at - start) / 4);
  return at;
}

// Matches `item*`, and tries the longest repetition first.
static const char *match_longest(
    lua_pattern *pattern, const char *at, const pattern_item *item) {
  const char *tail = item->end + 1;
  const char *last = end_of_span(pattern, at, item);
  if (tail == pattern->pattern_end && pattern->depth > 0) return last;
  const char *end = match_here(pattern, last, tail);
  if (end != NULL || last == at) return end;
  pattern_ahead storage;
  const pattern_ahead *ahead = ahead_of(pattern, tail, &storage);
  if (ahead == NULL) {
    while (last > at) {
      end = match_here(pattern, --last, tail);
      if (end != NULL) return end;
    }
    return NULL;
  }
  char next = ahead->bytes[0];
  if (!pattern_item_accepts(item, next)) return NULL; // the next byte can only be after the span
  size_t count = (size_t)(last - at);
  while (count > 0) {
    const char *hit = last_byte(at, next, count);
    size_t left = hit != NULL ? (size_t)(hit - at) : 0;
    lua_pattern_spend(pattern, 1 + (count - left) / BYTES_PER_STEP);
    if (hit == NULL) return NULL;
    end = match_here(pattern, hit, tail);
    if (end != NULL) return end;
    count = left;
  }
  return NULL;
}

// Returns the next place where the look-ahead's bytes may begin, if only bytes of the item are
// before it; otherwise NULL.
static const char *skip_to_ahead(
    lua_pattern *pattern, const char *at, const pattern_item *item, const pattern_ahead *ahead) {
  if (item->kind == ITEM_ANY) return lua_pattern_find_ahead(pattern, ahead, at);
  const char *start = at;
  const char *end = pattern->subject_end;
  while (at < end && *at != ahead->bytes[0] && pattern_item_accepts(item, *at)) at++;
  lua_pattern_spend(pattern, (size_t)(at - start) / 4);
  return at < end && *at == ahead->bytes[0] ? at : NULL;
}

// Matches `item-`, and tries the shortest repetition first.
static const char *match_shortest(
    lua_pattern *pattern, const char *at, const pattern_item *item) {
  const char *tail = item->end + 1;
  if (tail == pattern->pattern_end && pattern->depth > 0) return at;
  pattern_ahead storage;
  const pattern_ahead *ahead = ahead_of(pattern, tail, &storage);
  while (true) {
    if (ahead != NULL) at = skip_to_ahead(pattern, at, item, ahead);
    if (at == NULL) return NULL;
    const char *end = match_here(pattern, at, tail);
    if (end != NULL) return end;
    if (at == pattern->subject_end || !pattern_item_accepts(item, *at)) return NULL;
    at++;
  }
}

static const char *match_open_capture(
    lua_pattern *pattern, const char *at, const char *tail, ptrdiff_t kind) {
  if (pattern->level == PATTERN_CAPTURES_MAX) luaL_error(pattern->state, "too many captures");
  pattern->captures[pattern->level++] = (pattern_capture){at, kind};
  const char *end = match_here(pattern, at, tail);
  if (end == NULL) pattern->level--;
  return end;
}

static const char *match_close_capture(lua_pattern *pattern, const char *at, const char *tail) {
  int number = pattern->level - 1;
  while (number >= 0 && pattern->captures[number].length != CAPTURE_OPEN) number--;
  if (number < 0) luaL_error(pattern->state, "invalid pattern capture");
  pattern_capture *capture = &pattern->captures[number];
  capture->length = at - capture->start;
  const char *end = match_here(pattern, at, tail);
  if (end == NULL) capture->length = CAPTURE_OPEN;
  return end;
}

// Matches `%bxy`; `delimiters` points to x.
static const char *match_balance(
    lua_pattern *pattern, const char *at, const char *delimiters) {
  if (pattern->pattern_end - delimiters < 2) {
    luaL_error(pattern->state, "malformed pattern (missing arguments to '%%b')");
  }
  const char *end = pattern->subject_end;
  if (at == end || *at != delimiters[0]) return NULL;
  size_t open = 1;
  for (const char *next = at + 1; next < end; next++) {
    if (*next == delimiters[1]) {
      if (--open > 0) continue;
      lua_pattern_spend(pattern, (size_t)(next - at) / 4);
      return next + 1;
    }
    if (*next == delimiters[0]) open++;
  }
  lua_pattern_spend(pattern, (size_t)(end - at) / 4);
  return NULL;
}

// Matches `%f[set]`; `set` points to the bracket. Returns the set's end in the pattern, or NULL.
static const char *match_frontier(lua_pattern *pattern, const char *at, const char *set) {
  if (*set != '[') luaL_error(pattern->state, "missing '[' after '%%f' in pattern");
  pattern_item item;
  lua_pattern_read_item(pattern, set, &item);
  char before = at == pattern->subject ? '\0' : at[-1];
  char here = at == pattern->subject_end ? '\0' : *at;
  bool matches = !pattern_item_accepts(&item, before) && pattern_item_accepts(&item, here);
  return matches ? item.end : NULL;
}

// Matches `%1` to `%9`. Returns the place after a copy of the capture's text, or NULL.
static const char *match_reference(lua_pattern *pattern, const char *at, char digit) {
  int number = digit - '1';
  if (number < 0 || number >= pattern->level ||
      pattern->captures[number].length == CAPTURE_OPEN) {
    luaL_error(pattern->state, "invalid capture index %%%d", number + 1);
  }
  const pattern_capture *capture = &pattern->captures[number];
  if (capture->length < 0 || pattern->subject_end - at < capture->length) return NULL;
  size_t count = (size_t)capture->length;
  lua_pattern_spend(pattern, count / BYTES_PER_STEP);
  return memcmp(at, capture->start, count) == 0 ? at + count : NULL;
}

static const char *match_items(lua_pattern *pattern, const char *at, const char *item) {
  while (item < pattern->pattern_end) {
    lua_pattern_spend(pattern, 1);
    switch (*item) {
      case '(':
        if (item[1] == ')') return match_open_capture(pattern, at, item + 2, CAPTURE_POSITION);
        return match_open_capture(pattern, at, item + 1, CAPTURE_OPEN);
      case ')': return match_close_capture(pattern, at, item + 1);
      case '$':
        if (item + 1 == pattern->pattern_end) return at == pattern->subject_end ? at : NULL;
        break;
      case PATTERN_ESCAPE:
        switch (item[1]) {
          case 'b':
            at = match_balance(pattern, at, item + 2);
            if (at == NULL) return NULL;
            item += 4;
            continue;
          case 'f':
            item = match_frontier(pattern, at, item + 2);
            if (item == NULL) return NULL;
            continue;
          case '0': case '1': case '2': case '3': case '4':
          case '5': case '6': case '7': case '8': case '9':
            at = match_reference(pattern, at, item[1]);
            if (at == NULL) return NULL;
            item += 2;
            continue;
        }
        break;
    }
    pattern_item single;
    lua_pattern_read_item(pattern, item, &single);
    bool matches = at < pattern->subject_end && pattern_item_accepts(&single, *at);
    switch (*single.end) {
      case '?':
        if (matches) {
          const char *end = match_here(pattern, at + 1, single.end + 1);
          if (end != NULL) return end;
        }
        item = single.end + 1;
        continue;
      case '+': return matches ? match_longest(pattern, at + 1, &single) : NULL;
      case '*':
        if (matches) return match_longest(pattern, at, &single);
        item = single.end + 1;
        continue;
      case '-':
        if (matches) return match_shortest(pattern, at, &single);
        item = single.end + 1;
        continue;
      default:
        if (!matches) return NULL;
        at++;
        item = single.end;
    }
  }
  return at;
}

static const char *match_here(lua_pattern *pattern, const char *at, const char *item) {
  if (pattern->depth == 0) luaL_error(pattern->state, "pattern too complex");
  pattern->depth--;
  const char *end = match_items(pattern, at, item);
  pattern->depth++;
  return end;
}

const char *lua_pattern_match(lua_pattern *pattern, const char *start) {
  pattern->level = 0;
  pattern->depth = PATTERN_DEPTH_MAX;
  return match_here(pattern, start, pattern->pattern);
}
