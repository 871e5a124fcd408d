#include "bounded.h"
#include "pattern_item.h"

// Computes the bytes with which every match begins. Called at the first match, because a malformed
// pattern may not raise an error earlier.
static void prepare(lua_pattern *pattern) {
  pattern->prepared = true;
  pattern->first = NULL;
  pattern->level = 0;
  lua_pattern_look_ahead(pattern, pattern->pattern, &pattern->beginning);
  if (pattern->beginning.count > 0) return;
  const char *at = pattern->pattern;
  for (int i = 0; i < PATTERN_CAPTURES_MAX && at[0] == '('; i++) at += at[1] == ')' ? 2 : 1;
  bool is_class = at[0] == PATTERN_ESCAPE && (at[1] >= 'A') && at[1] != 'b' && at[1] != 'f';
  if (at >= pattern->pattern_end || !(at[0] == '[' || is_class)) return;
  pattern_item item;
  lua_pattern_read_item(pattern, at, &item);
  if (item.kind != ITEM_SET) return;
  if (*item.end == '*' || *item.end == '?' || *item.end == '-') return;
  pattern->first = item.set;
  pattern->first_is_negated = item.negated;
}

// Returns the next place at or after `from` where a match can begin, or NULL.
static const char *next_beginning(lua_pattern *pattern, const char *from) {
  if (pattern->beginning.count > 0) {
    return lua_pattern_find_ahead(pattern, &pattern->beginning, from);
  }
  if (pattern->first == NULL) return from;
  const byte_set *set = pattern->first;
  bool wanted = !pattern->first_is_negated;
  const char *at = from;
  const char *end = pattern->subject_end;
  while (at < end && byte_set_has(set, (unsigned char)*at) != wanted) at++;
  lua_pattern_spend(pattern, 1 + (size_t)(at - from) / 4);
  return at < end ? at : NULL;
}

const char *lua_pattern_scan(
    lua_pattern *pattern, const char **start, const char *refused) {
  if (!pattern->prepared) prepare(pattern);
  for (const char *at = *start; (at = next_beginning(pattern, at)) != NULL; at++) {
    const char *end = lua_pattern_match(pattern, at);
    if (end != NULL && end != refused) {
      *start = at;
      return end;
    }
    if (at == pattern->subject_end) return NULL;
  }
  return NULL;
}

void lua_pattern_push_capture(
    lua_pattern *pattern, int number, const char *start, const char *end) {
  lua_State *L = pattern->state;
  if (number >= pattern->level) {
    if (number > 0) luaL_error(L, "invalid capture index %%%d", number + 1);
    lua_pushlstring(L, start, (size_t)(end - start));
    return;
  }
  const pattern_capture *capture = &pattern->captures[number];
  switch (capture->length) {
    case CAPTURE_OPEN: luaL_error(L, "unfinished capture"); break;
    case CAPTURE_POSITION: lua_pushinteger(L, capture->start - pattern->subject + 1); break;
    default: lua_pushlstring(L, capture->start, (size_t)capture->length);
  }
}

int lua_pattern_push_captures(lua_pattern *pattern, const char *start, const char *end) {
  int count = pattern->level == 0 && start != NULL ? 1 : pattern->level;
  luaL_checkstack(pattern->state, count, "too many captures");
  for (int i = 0; i < count; i++) lua_pattern_push_capture(pattern, i, start, end);
  return count;
}
