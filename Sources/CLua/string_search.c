#include <stdbool.h>
#include <string.h>

#include "bounded.h"
#include "bytes_find.h"
#include "pattern.h"
#include "pattern_item.h"
#include "strings.h"
#include "text.h"

// Returns whether the pattern has no special character, which are ^$*+?.([%-
static bool is_plain(const char *pattern, size_t count) {
  static const byte_set special = {{0x80006D3000000000, 0x0000000048000000}};
  for (size_t i = 0; i < count; i++) {
    if (byte_set_has(&special, (unsigned char)pattern[i])) return false;
  }
  return true;
}

// Returns the first place of `needle` in `hay`, or NULL. Checks the run during the search.
static const char *find_plain(
    lua_State *L, const char *hay, size_t hay_count, const char *needle, size_t needle_count) {
  size_t chunk_max = SEARCH_CHUNK_BYTES;
  if (needle_count > chunk_max / 2) chunk_max = 2 * needle_count;
  while (hay_count >= needle_count) {
    size_t chunk = hay_count < chunk_max ? hay_count : chunk_max;
    const char *hit = bytes_find(hay, chunk, needle, needle_count);
    if (hit != NULL || chunk == hay_count) return hit;
    lua_bounded_check(L);
    hay += chunk - needle_count + 1;
    hay_count -= chunk - needle_count + 1;
  }
  return NULL;
}

// Pushes the place of a match and returns 2.
static int push_place(lua_State *L, const char *subject, const char *start, const char *end) {
  lua_pushinteger(L, start - subject + 1);
  lua_pushinteger(L, end - subject);
  return 2;
}

static int search(lua_State *L, bool wants_place) {
  size_t count, pattern_count;
  const char *subject = luaL_checklstring(L, 1, &count);
  const char *bytes = luaL_checklstring(L, 2, &pattern_count);
  size_t from = lua_bounded_first_place(luaL_optinteger(L, 3, 1), count);
  if (from > count) {
    lua_pushnil(L);
    return 1;
  }
  const char *start = subject + from;
  if (wants_place && (lua_toboolean(L, 4) || is_plain(bytes, pattern_count))) {
    start = find_plain(L, start, count - from, bytes, pattern_count);
    if (start != NULL) return push_place(L, subject, start, start + pattern_count);
    lua_pushnil(L);
    return 1;
  }
  bool is_anchored = *bytes == '^';
  lua_pattern pattern;
  lua_pattern_open(&pattern, L, subject, count, bytes + is_anchored, pattern_count - is_anchored);
  const char *end = is_anchored ? lua_pattern_match(&pattern, start)
                                : lua_pattern_scan(&pattern, &start, NULL);
  if (end == NULL) {
    lua_pushnil(L);
    return 1;
  }
  if (!wants_place) return lua_pattern_push_captures(&pattern, start, end);
  return push_place(L, subject, start, end) + lua_pattern_push_captures(&pattern, NULL, NULL);
}

// string.find(s, pattern [, init [, plain]])
int lua_string_find(lua_State *L) { return search(L, true); }

// string.match(s, pattern [, init])
int lua_string_match(lua_State *L) { return search(L, false); }

// The state of a gmatch iterator, in a userdata. It stays valid after an error, because each match
// begins at `next`.
typedef struct {
  const char *next;
  const char *end_before; // the end of the previous match, where no empty match is allowed
  lua_pattern pattern;
} gmatch_state;

static int gmatch_next(lua_State *L) {
  gmatch_state *state = lua_touserdata(L, lua_upvalueindex(3));
  lua_pattern *pattern = &state->pattern;
  pattern->state = L; // the iterator may be called in another coroutine
  if (state->next == NULL) return 0;
  const char *start = state->next;
  const char *end = lua_pattern_scan(pattern, &start, state->end_before);
  if (end == NULL) return 0;
  state->next = state->end_before = end;
  return lua_pattern_push_captures(pattern, start, end);
}

// string.gmatch(s, pattern [, init])
int lua_string_gmatch(lua_State *L) {
  size_t count, pattern_count;
  const char *subject = luaL_checklstring(L, 1, &count);
  const char *bytes = luaL_checklstring(L, 2, &pattern_count);
  size_t from = lua_bounded_first_place(luaL_optinteger(L, 3, 1), count);
  lua_settop(L, 2);
  gmatch_state *state = lua_newuserdatauv(L, sizeof *state, 0);
  lua_pattern_open(&state->pattern, L, subject, count, bytes, pattern_count);
  state->next = from <= count ? subject + from : NULL;
  state->end_before = NULL;
  lua_pushcclosure(L, gmatch_next, 3); // includes both strings to keep them alive
  return 1;
}

typedef struct {
  lua_pattern pattern;
  lua_text text;
  int replacement; // its Lua type; the value is at index 3
  const char *template; // its bytes, if it is text
  size_t template_count;
} gsub_state;

// Adds the replacement string, in which captures are inserted.
static void add_template(gsub_state *state, const char *start, const char *end) {
  lua_State *L = state->pattern.state;
  const char *bytes = state->template;
  const char *bytes_end = bytes + state->template_count;
  while (bytes < bytes_end) {
    const char *escape = memchr(bytes, PATTERN_ESCAPE, (size_t)(bytes_end - bytes));
    if (escape == NULL) break;
    lua_pattern_spend(&state->pattern, 1 + (size_t)(escape - bytes) / BYTES_PER_STEP);
    lua_text_add(&state->text, bytes, (size_t)(escape - bytes));
    char what = escape[1];
    if (what == PATTERN_ESCAPE) {
      lua_text_add_byte(&state->text, what);
    } else if (what == '0') {
      lua_text_add(&state->text, start, (size_t)(end - start));
    } else if (what >= '1' && what <= '9') {
      lua_pattern_push_capture(&state->pattern, what - '1', start, end);
      lua_text_add_value(&state->text);
    } else {
      luaL_error(L, "invalid use of '%c' in replacement string", PATTERN_ESCAPE);
    }
    bytes = escape + 2;
  }
  lua_text_add(&state->text, bytes, (size_t)(bytes_end - bytes));
}

// Adds the replacement of a match; returns false if the match itself is to be kept.
static bool add_replacement(gsub_state *state, const char *start, const char *end) {
  lua_State *L = state->pattern.state;
  switch (state->replacement) {
    case LUA_TFUNCTION: {
      lua_pushvalue(L, 3);
      int count = lua_pattern_push_captures(&state->pattern, start, end);
      lua_call(L, count, 1);
      break;
    }
    case LUA_TTABLE:
      lua_pattern_push_capture(&state->pattern, 0, start, end);
      lua_gettable(L, 3);
      break;
    default: add_template(state, start, end); return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    lua_text_add(&state->text, start, (size_t)(end - start));
    return false;
  }
  if (!lua_isstring(L, -1)) {
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  }
  lua_text_add_value(&state->text);
  return true;
}

// string.gsub(s, pattern, repl [, n])
int lua_string_gsub(lua_State *L) {
  size_t count, pattern_count;
  const char *subject = luaL_checklstring(L, 1, &count);
  const char *bytes = luaL_checklstring(L, 2, &pattern_count);
  gsub_state state;
  state.replacement = lua_type(L, 3);
  lua_Integer times_max = luaL_optinteger(L, 4, (lua_Integer)count + 1);
  bool is_known = state.replacement == LUA_TNUMBER || state.replacement == LUA_TSTRING ||
                  state.replacement == LUA_TFUNCTION || state.replacement == LUA_TTABLE;
  if (!is_known) return luaL_typeerror(L, 3, "string/function/table");
  bool is_template = state.replacement == LUA_TNUMBER || state.replacement == LUA_TSTRING;
  if (is_template) state.template = lua_tolstring(L, 3, &state.template_count);
  bool is_anchored = *bytes == '^';
  lua_pattern *pattern = &state.pattern;
  lua_pattern_open(pattern, L, subject, count, bytes + is_anchored, pattern_count - is_anchored);
  lua_text_open(&state.text, L, count);
  const char *next = subject;       // the text after the last match
  const char *end_before = NULL;    // no empty match is allowed there
  lua_Integer times = 0;
  bool is_changed = false;
  while (times < times_max) {
    const char *start = next;
    const char *end = is_anchored ? lua_pattern_match(pattern, start)
                                  : lua_pattern_scan(pattern, &start, end_before);
    if (end == NULL) break;
    times++;
    lua_text_add(&state.text, next, (size_t)(start - next));
    is_changed |= add_replacement(&state, start, end);
    next = end_before = end;
    if (is_anchored) break;
  }
  if (is_changed) {
    lua_text_add(&state.text, next, (size_t)(subject + count - next));
    lua_text_push(&state.text);
  } else {
    lua_pushvalue(L, 1);
  }
  lua_pushinteger(L, times);
  return 2;
}
