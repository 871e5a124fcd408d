// Decodes bytes to Lua values. The bytes are from this process or the host, but the code does not
// trust them: it compares every count with the number of remaining bytes.
#include "state.h"

#include <string.h>

#include "tags.h"

#define NESTING_MAX 128
#define CHECK_EVERY 256

typedef struct {
  lua_State *L;
  const uint8_t *bytes;
  size_t left;
  unsigned steps;
} decoder;

static _Noreturn void refuse(decoder *decoder) {
  luaL_error(decoder->L, "a value from the host is malformed");
  __builtin_unreachable();
}

static const uint8_t *take(decoder *decoder, size_t count) {
  if (count > decoder->left) refuse(decoder);
  const uint8_t *taken = decoder->bytes;
  decoder->bytes += count;
  decoder->left -= count;
  return taken;
}

static uint64_t take_fixed(decoder *decoder, int width) {
  const uint8_t *bytes = take(decoder, (size_t)width);
  uint64_t value = 0;
  for (int i = width - 1; i >= 0; i--) value = value << 8 | bytes[i];
  return value;
}

// Reads a count of elements that take at least `element_bytes` each. Raises an error if the
// remaining bytes are too few, so that a false count cannot reserve memory.
static int take_count(decoder *decoder, size_t element_bytes) {
  size_t count = (size_t)take_fixed(decoder, 4);
  if (count > decoder->left / element_bytes || count > INT32_MAX) refuse(decoder);
  return (int)count;
}

static void push_string(decoder *decoder, size_t count) {
  lua_pushlstring(decoder->L, (const char *)take(decoder, count), count);
}

static void push_number(decoder *decoder) {
  uint64_t bits = take_fixed(decoder, 8);
  lua_Number value;
  memcpy(&value, &bits, sizeof value);
  lua_pushnumber(decoder->L, value);
}

static void push_value(decoder *decoder, int depth);

static void push_array(decoder *decoder, int depth) {
  lua_State *L = decoder->L;
  int count = take_count(decoder, 1);
  lua_createtable(L, count, 0);
  if (count == 0) {
    values_push_array_metatable(L);
    lua_setmetatable(L, -2);
  }
  for (int i = 1; i <= count; i++) {
    push_value(decoder, depth + 1);
    lua_rawseti(L, -2, i);
  }
}

static void push_object(decoder *decoder, int depth) {
  lua_State *L = decoder->L;
  int count = take_count(decoder, 3);
  lua_createtable(L, 0, count);
  for (int i = 0; i < count; i++) {
    uint8_t tag = *take(decoder, 1);
    if (tag != TAG_STRING && tag != TAG_SHORT_STRING) refuse(decoder);
    push_string(decoder, (size_t)take_fixed(decoder, tag == TAG_STRING ? 4 : 1));
    push_value(decoder, depth + 1);
    lua_rawset(L, -3);
  }
}

static void push_value(decoder *decoder, int depth) {
  lua_State *L = decoder->L;
  if (++decoder->steps % CHECK_EVERY == 0) lua_bounded_check(L);
  if (depth > NESTING_MAX) refuse(decoder);
  luaL_checkstack(L, 4, "value");
  switch (*take(decoder, 1)) {
  case TAG_NULL:
    if (depth == 0) {
      lua_pushnil(L);
    } else {
      values_push_null(L);
    }
    return;
  case TAG_FALSE:
    lua_pushboolean(L, 0);
    return;
  case TAG_TRUE:
    lua_pushboolean(L, 1);
    return;
  case TAG_INTEGER:
    lua_pushinteger(L, (lua_Integer)take_fixed(decoder, 8));
    return;
  case TAG_SMALL_INTEGER:
    lua_pushinteger(L, (int8_t)take_fixed(decoder, 1));
    return;
  case TAG_NUMBER:
    push_number(decoder);
    return;
  case TAG_STRING:
    push_string(decoder, (size_t)take_fixed(decoder, 4));
    return;
  case TAG_SHORT_STRING:
    push_string(decoder, (size_t)take_fixed(decoder, 1));
    return;
  case TAG_ARRAY:
    push_array(decoder, depth);
    return;
  case TAG_OBJECT:
    push_object(decoder, depth);
    return;
  default:
    refuse(decoder);
  }
}

int values_decode_list(lua_State *L, const uint8_t *bytes, size_t count) {
  decoder decoder = {L, bytes, count, 0};
  uint8_t tag = *take(&decoder, 1);
  if (tag != TAG_ARRAY && tag != TAG_OBJECT) refuse(&decoder);
  int element_count = take_count(&decoder, 1);
  // Accepts an empty object as an empty list, because Lua does not distinguish them.
  if (tag == TAG_OBJECT && element_count > 0) refuse(&decoder);
  luaL_checkstack(L, element_count, "too many values from the host");
  for (int i = 0; i < element_count; i++) push_value(&decoder, 0);
  if (decoder.left > 0) refuse(&decoder);
  return element_count;
}
