#include <stdlib.h>
#include <string.h>

#include "CLua.h"

#define CAPACITY_MIN 256

bool lua_buffer_reserve(lua_buffer *buffer, size_t count) {
  if (count <= buffer->capacity - buffer->count) return true;
  if (count > SIZE_MAX / 2 - buffer->count) return false;
  size_t capacity = buffer->capacity < CAPACITY_MIN ? CAPACITY_MIN : buffer->capacity * 2;
  if (capacity < buffer->count + count) capacity = buffer->count + count;
  uint8_t *moved = realloc(buffer->bytes, capacity);
  if (moved == NULL) return false;
  buffer->bytes = moved;
  buffer->capacity = capacity;
  return true;
}

bool lua_buffer_append(lua_buffer *buffer, const void *bytes, size_t count) {
  if (count == 0) return true;
  if (!lua_buffer_reserve(buffer, count)) return false;
  memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count += count;
  return true;
}

void lua_buffer_free(lua_buffer *buffer) {
  free(buffer->bytes);
  *buffer = (lua_buffer){0};
}
