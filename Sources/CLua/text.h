// A buffer for bytes that will become a Lua string. Unlike luaL_Buffer, this buffer allocates only
// collectable memory. A collection can therefore free memory before an allocation fails, and a
// killed run leaves nothing to release. Values may be pushed and popped between two additions.
#ifndef FETCHRUN_TEXT_H
#define FETCHRUN_TEXT_H

#include <lua.h>
#include <string.h>

// The size of the first part, which is on the C stack. This part is small because about 200 calls
// of gsub may be nested on the C stack.
#define TEXT_FIRST_BYTES 512

typedef struct {
  lua_State *state;
  char *bytes;
  size_t count;
  size_t capacity;
  size_t expected;
  int slot;
  char first[TEXT_FIRST_BYTES];
} lua_text;

// Opens a buffer, which uses one slot of Lua's stack. `expected` is an estimate of the size, which
// is used when `first` is full.
void lua_text_open(lua_text *text, lua_State *L, size_t expected);

// Reserves room for `more` bytes after `count`.
void lua_text_reserve(lua_text *text, size_t more);

// Pushes the added bytes as a string.
void lua_text_push(lua_text *text);

// Adds the string on top of the stack and pops it.
void lua_text_add_value(lua_text *text);

static inline void lua_text_add(lua_text *text, const char *bytes, size_t count) {
  if (count == 0) return;
  if (count > text->capacity - text->count) lua_text_reserve(text, count);
  memcpy(text->bytes + text->count, bytes, count);
  text->count += count;
}

static inline void lua_text_add_byte(lua_text *text, char byte) {
  if (text->count == text->capacity) lua_text_reserve(text, 1);
  text->bytes[text->count++] = byte;
}

#endif
