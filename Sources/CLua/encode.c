// Encodes Lua values with raw access: no metamethod of a plugin runs.
#include "state.h"

#include <math.h>
#include <string.h>

#include "tags.h"

// The highest possible nesting limit, because each level needs a frame on the C stack.
#define NESTING_MAX 128
// The maximum length of the path to a value in a message.
#define PATH_BYTES_MAX 200
#define CHECK_EVERY 256

const char values_null = 0;

void values_push_null(lua_State *L) { lua_pushlightuserdata(L, (void *)&values_null); }

static const char array_key = 0;

void values_push_array_metatable(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &array_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_createtable(L, 0, 0);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &array_key);
}

int values_array(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  values_push_array_metatable(L);
  lua_setmetatable(L, 1);
  return 1;
}

// One level of the encoder's position, for one enclosing table.
typedef struct {
  const void *table; // to recognise a cycle
  const char *key;   // or NULL for a list
  size_t key_count;
  lua_Integer index;
} level;

typedef struct {
  lua_State *L;
  lua_buffer *output;
  size_t bytes_max;
  uint32_t nesting_max;
  uint32_t depth;
  unsigned steps;
  level levels[NESTING_MAX];
} encoder;

static void append_path(luaL_Buffer *path, const level *level, bool first, lua_State *L) {
  if (level->key != NULL) {
    if (!first) luaL_addchar(path, '.');
    luaL_addlstring(path, level->key, level->key_count < 40 ? level->key_count : 40);
  } else {
    lua_pushfstring(L, "[%I]", (LUAI_UACINT)level->index);
    luaL_addvalue(path);
  }
}

// Raises a failure whose message begins with the path to the value that cannot be sent.
static _Noreturn void refuse(encoder *encoder, const char *code, const char *problem) {
  lua_State *L = encoder->L;
  luaL_Buffer message;
  luaL_buffinit(L, &message);
  for (uint32_t i = 0; i < encoder->depth; i++) {
    if (luaL_bufflen(&message) > PATH_BYTES_MAX) {
      luaL_addstring(&message, "...");
      break;
    }
    append_path(&message, &encoder->levels[i], i == 0, L);
  }
  if (luaL_bufflen(&message) > 0) luaL_addstring(&message, ": ");
  luaL_addstring(&message, problem);
  luaL_pushresult(&message);
  failure_raise(L, code, lua_tostring(L, -1));
}

static _Noreturn void refuse_kind(encoder *encoder, const char *kind) {
  char problem[64] = "a ";
  strcat(strcat(problem, kind), " cannot be sent");
  refuse(encoder, "invalidValue", problem);
}

// Adds `count` bytes to the output, which the caller must write, and returns their place.
static uint8_t *extend(encoder *encoder, size_t count) {
  lua_buffer *output = encoder->output;
  if (count > encoder->bytes_max || output->count > encoder->bytes_max - count) {
    refuse(encoder, "resultLimit", "the value is too large to be sent");
  }
  if (!lua_buffer_reserve(output, count)) run_die(run_of(encoder->L), LUA_DEATH_MEMORY);
  uint8_t *place = output->bytes + output->count;
  output->count += count;
  return place;
}

static void append(encoder *encoder, const void *bytes, size_t count) {
  memcpy(extend(encoder, count), bytes, count);
}

static void put_u32(uint8_t *bytes, size_t value) {
  for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (8 * i));
}

static void put_u64(uint8_t *bytes, uint64_t value) {
  for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(value >> (8 * i));
}

static void encode_string(encoder *encoder, const char *text, size_t count) {
  if (count < 256) {
    uint8_t *place = extend(encoder, 2 + count);
    place[0] = TAG_SHORT_STRING;
    place[1] = (uint8_t)count;
    memcpy(place + 2, text, count);
  } else {
    // `extend` refuses a string whose length does not fit into 32 bits, because no message may be
    // so long.
    uint8_t *place = extend(encoder, 5 + count);
    place[0] = TAG_STRING;
    put_u32(place + 1, count);
    memcpy(place + 5, text, count);
  }
}

static void encode_number(encoder *encoder, int index) {
  uint8_t bytes[9];
  if (lua_isinteger(encoder->L, index)) {
    lua_Integer value = lua_tointeger(encoder->L, index);
    if (value >= INT8_MIN && value <= INT8_MAX) {
      bytes[0] = TAG_SMALL_INTEGER;
      bytes[1] = (uint8_t)value;
      append(encoder, bytes, 2);
      return;
    }
    bytes[0] = TAG_INTEGER;
    put_u64(bytes + 1, (uint64_t)value);
  } else {
    lua_Number value = lua_tonumber(encoder->L, index);
    if (!isfinite(value)) {
      refuse(encoder, "invalidValue", "a number that is not finite cannot be sent");
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes[0] = TAG_NUMBER;
    put_u64(bytes + 1, bits);
  }
  append(encoder, bytes, sizeof bytes);
}

static void encode_value(encoder *encoder, int index);

// Writes the head of a list or object without its count, which `set_count` writes later.
static size_t begin_container(encoder *encoder, uint8_t tag) {
  uint8_t head[5] = {tag};
  append(encoder, head, sizeof head);
  return encoder->output->count - 4;
}

static void set_count(encoder *encoder, size_t place, size_t count) {
  put_u32(encoder->output->bytes + place, count);
}

static _Noreturn void refuse_mixed(encoder *encoder) {
  encoder->depth--;
  refuse(
      encoder, "invalidValue", "a table with both list and named entries cannot be sent");
}

static const char holes[] =
    "a list with holes cannot be sent; use json.null for missing values, or strings as keys";

// Checks that a table with an integer key is a list. If it is not, raises the reason.
static void check_list(encoder *encoder, int table, lua_Integer count) {
  lua_State *L = encoder->L;
  lua_Integer found = 0;
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    lua_pop(L, 1);
    if (++encoder->steps % CHECK_EVERY == 0) lua_bounded_check(L);
    if (!lua_isinteger(L, -1)) refuse_mixed(encoder);
    lua_Integer key = lua_tointeger(L, -1);
    if (key < 1 || key > count) {
      encoder->depth--;
      refuse(encoder, "invalidValue", holes);
    }
    found++;
  }
  if (found != count) {
    encoder->depth--;
    refuse(encoder, "invalidValue", holes);
  }
}

static void encode_list(encoder *encoder, int table, level *level) {
  lua_State *L = encoder->L;
  lua_Integer count = (lua_Integer)lua_rawlen(L, table);
  check_list(encoder, table, count);
  size_t place = begin_container(encoder, TAG_ARRAY);
  level->key = NULL;
  for (lua_Integer i = 1; i <= count; i++) {
    level->index = i;
    lua_rawgeti(L, table, i);
    encode_value(encoder, lua_gettop(L));
    lua_pop(L, 1);
  }
  set_count(encoder, place, (size_t)count);
}

static void take_key(encoder *encoder, level *level) {
  lua_State *L = encoder->L;
  if (lua_type(L, -2) != LUA_TSTRING) {
    if (lua_type(L, -2) == LUA_TNUMBER) refuse_mixed(encoder);
    encoder->depth--;
    char problem[80] = "a table with a ";
    strcat(strcat(problem, luaL_typename(L, -2)), " as a key cannot be sent");
    refuse(encoder, "invalidValue", problem);
  }
  level->key = lua_tolstring(L, -2, &level->key_count);
  if (values_utf8_prefix(level->key, level->key_count) != level->key_count) {
    encoder->depth--;
    refuse(encoder, "invalidValue", "a table with a key that is not UTF-8 cannot be sent");
  }
}

static void encode_object(encoder *encoder, int table, level *level) {
  lua_State *L = encoder->L;
  size_t place = begin_container(encoder, TAG_OBJECT), count = 0;
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    take_key(encoder, level);
    encode_string(encoder, level->key, level->key_count);
    encode_value(encoder, lua_gettop(L));
    lua_pop(L, 1);
    count++;
  }
  set_count(encoder, place, count);
}

static bool is_marked_array(lua_State *L, int table) {
  if (!lua_getmetatable(L, table)) return false;
  bool marked = lua_rawgetp(L, LUA_REGISTRYINDEX, &array_key) == LUA_TTABLE &&
                lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return marked;
}

static bool is_list(lua_State *L, int table) {
  if (lua_rawlen(L, table) > 0 || is_marked_array(L, table)) return true;
  // A list without its first entry has no length but has integer keys.
  lua_pushnil(L);
  if (lua_next(L, table) == 0) return false;
  bool numbered = lua_isinteger(L, -2);
  lua_pop(L, 2);
  return numbered;
}

// Refuses a table whose metatable marks it as meaningful only in Lua, such as a secret.
static void refuse_unsendable(encoder *encoder, int table) {
  lua_State *L = encoder->L;
  if (luaL_getmetafield(L, table, "__unsendable") == LUA_TNIL) return;
  if (lua_type(L, -1) == LUA_TSTRING) {
    refuse(encoder, "invalidValue", lua_tostring(L, -1));
  }
  lua_pop(L, 1);
}

static void encode_table(encoder *encoder, int table) {
  lua_State *L = encoder->L;
  const void *identity = lua_topointer(L, table);
  for (uint32_t i = 0; i < encoder->depth; i++) {
    if (encoder->levels[i].table == identity) {
      refuse(encoder, "invalidValue", "a table that contains itself cannot be sent");
    }
  }
  if (encoder->depth >= encoder->nesting_max) {
    refuse(encoder, "nestingLimit", "the value is nested too deeply to be sent");
  }
  luaL_checkstack(L, 6, "value");
  refuse_unsendable(encoder, table);
  level *level = &encoder->levels[encoder->depth++];
  level->table = identity;
  level->key = NULL;
  level->index = 0;
  if (is_list(L, table)) {
    encode_list(encoder, table, level);
  } else {
    encode_object(encoder, table, level);
  }
  encoder->depth--;
}

static void encode_value(encoder *encoder, int index) {
  lua_State *L = encoder->L;
  if (++encoder->steps % CHECK_EVERY == 0) lua_bounded_check(L);
  uint8_t tag = TAG_NULL;
  switch (lua_type(L, index)) {
  case LUA_TSTRING: {
    size_t count;
    const char *text = lua_tolstring(L, index, &count);
    encode_string(encoder, text, count);
    return;
  }
  case LUA_TNUMBER:
    encode_number(encoder, index);
    return;
  case LUA_TTABLE:
    encode_table(encoder, index);
    return;
  case LUA_TBOOLEAN:
    tag = lua_toboolean(L, index) ? TAG_TRUE : TAG_FALSE;
    break;
  case LUA_TNIL:
    break;
  case LUA_TLIGHTUSERDATA:
    if (lua_touserdata(L, index) == &values_null) break;
    refuse_kind(encoder, "userdata");
  default:
    refuse_kind(encoder, luaL_typename(L, index));
  }
  append(encoder, &tag, 1);
}

static void begin(encoder *encoder, lua_State *L, lua_buffer *output) {
  lua_run *run = run_of(L);
  uint32_t nesting_max = run->limits.nesting_max;
  encoder->L = L;
  encoder->output = output;
  encoder->bytes_max = run->limits.message_bytes_max;
  encoder->nesting_max = nesting_max < NESTING_MAX ? nesting_max : NESTING_MAX;
  encoder->depth = 0;
  encoder->steps = 0;
  output->count = 0;
}

void values_encode(lua_State *L, int index, lua_buffer *output) {
  encoder encoder;
  begin(&encoder, L, output);
  encode_value(&encoder, lua_absindex(L, index));
}

void values_encode_arguments(lua_State *L, int first, lua_buffer *output) {
  encoder encoder;
  begin(&encoder, L, output);
  int last = lua_gettop(L);
  size_t place = begin_container(&encoder, TAG_ARRAY);
  for (int index = first; index <= last; index++) encode_value(&encoder, index);
  set_count(&encoder, place, (size_t)(last - first + 1));
}

bool values_append_head(lua_buffer *output, uint8_t tag, size_t count) {
  uint8_t head[5] = {tag};
  put_u32(head + 1, count);
  return lua_buffer_append(output, head, sizeof head);
}

bool values_append_integer(lua_buffer *output, int64_t value) {
  uint8_t bytes[9] = {TAG_INTEGER};
  put_u64(bytes + 1, (uint64_t)value);
  return lua_buffer_append(output, bytes, sizeof bytes);
}

bool values_append_string(lua_buffer *output, const char *text, size_t count) {
  uint8_t head[5] = {TAG_STRING};
  put_u32(head + 1, count);
  return lua_buffer_append(output, head, sizeof head) && lua_buffer_append(output, text, count);
}
