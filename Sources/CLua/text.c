#include "text.h"

#include <lauxlib.h>
#include <stdint.h>

// The maximum memory that is reserved because of an expected size.
#define EXPECTED_BYTES_MAX (1 << 20)

void lua_text_open(lua_text *text, lua_State *L, size_t expected) {
  luaL_checkstack(L, 2, NULL);
  lua_pushnil(L);
  text->state = L;
  text->bytes = text->first;
  text->count = 0;
  text->capacity = TEXT_FIRST_BYTES;
  text->expected = expected < EXPECTED_BYTES_MAX ? expected : EXPECTED_BYTES_MAX;
  text->slot = lua_gettop(L);
}

void lua_text_reserve(lua_text *text, size_t more) {
  if (more <= text->capacity - text->count) return;
  if (more > SIZE_MAX / 2 - text->count) luaL_error(text->state, "buffer too large");
  size_t needed = text->count + more;
  size_t capacity = text->capacity + text->capacity / 2;
  if (capacity < text->expected) capacity = text->expected;
  if (capacity < needed) capacity = needed;
  char *bytes = lua_newuserdatauv(text->state, capacity, 0);
  memcpy(bytes, text->bytes, text->count);
  lua_replace(text->state, text->slot);
  text->bytes = bytes;
  text->capacity = capacity;
}

void lua_text_push(lua_text *text) { lua_pushlstring(text->state, text->bytes, text->count); }

void lua_text_add_value(lua_text *text) {
  size_t count;
  const char *bytes = lua_tolstring(text->state, -1, &count);
  if (count > text->capacity - text->count) {
    luaL_checkstack(text->state, 1, NULL);
    lua_text_reserve(text, count);
  }
  memcpy(text->bytes + text->count, bytes, count);
  text->count += count;
  lua_pop(text->state, 1);
}
