// Two changes of Lua's global state that are not possible through Lua's interface. The places to
// change are found once, by a search for known content, and then tested. If the search or the test
// fails, because Lua's layout differs from that of the 5.4 releases, nothing is changed. The two
// guarantees below are then weaker.
//
// 1. No table is weak and no object has a finalizer, even when a metatable gets `__mode` or `__gc`
//    after setmetatable has checked it. The collector finds both fields by the interned strings in
//    an array of event names. These two entries are replaced by a string that no script can have.
// 2. The order of string keys in `pairs` depends on the seed of the string hash, which Lua derives
//    from time and addresses. A repeatable run needs a seed of its own.
#include "state.h"

#include <stdlib.h>
#include <string.h>

// The layout of a short string in memory: a header of 24 bytes, with the hash at offset 12, and
// then the text.
#define STRING_HEADER_BYTES 24
#define STRING_HASH_OFFSET 12
// The maximum size of the block with the global state, to which the search is limited.
#define BLOCK_BYTES_MAX 8192

#define EVENT_GC 2
#define EVENT_MODE 3

static _Alignas(8) char absent_name[STRING_HEADER_BYTES + sizeof "__mode"];
static size_t names_offset; // 0: not found
static size_t seed_offset;

typedef struct {
  char *block;
  size_t size;
} first_block;

static void *allocate_noting_first(void *context, void *block, size_t old_size, size_t new_size) {
  (void)old_size;
  if (new_size == 0) {
    free(block);
    return NULL;
  }
  first_block *first = context;
  void *moved = realloc(block, new_size);
  if (first->block == NULL) *first = (first_block){moved, new_size};
  return moved;
}

// Returns the address of the interned string object with the given text.
static char *string_object(lua_State *L, const char *text) {
  lua_pushstring(L, text);
  char *object = (char *)lua_tostring(L, -1) - STRING_HEADER_BYTES;
  lua_pop(L, 1); // the event names and reserved words are never collected
  return object;
}

static size_t find_names(lua_State *L, const first_block *first) {
  char *names[] = {
      string_object(L, "__index"), string_object(L, "__newindex"), string_object(L, "__gc"),
      string_object(L, "__mode")};
  for (size_t at = 8; at + sizeof names <= first->size; at += sizeof(char *)) {
    if (memcmp(first->block + at, names, sizeof names) == 0) return at;
  }
  return 0;
}

// Computes Lua's hash of a short string.
static uint32_t hash(const char *text, uint32_t seed) {
  size_t count = strlen(text);
  uint32_t hash = seed ^ (uint32_t)count;
  for (; count > 0; count--) {
    hash ^= (hash << 5) + (hash >> 2) + (unsigned char)text[count - 1];
  }
  return hash;
}

static uint32_t read_u32(const char *place) {
  uint32_t value;
  memcpy(&value, place, sizeof value);
  return value;
}

static size_t find_seed(lua_State *L, const first_block *first) {
  uint32_t one = read_u32(string_object(L, "__newindex") + STRING_HASH_OFFSET);
  uint32_t other = read_u32(string_object(L, "function") + STRING_HASH_OFFSET);
  for (size_t at = 8; at + 4 <= first->size; at += 4) {
    uint32_t seed = read_u32(first->block + at);
    if (hash("__newindex", seed) == one && hash("function", seed) == other) return at;
  }
  return 0;
}

static void hide_names(char *block, size_t offset) {
  const char *absent = absent_name;
  memcpy(block + offset + EVENT_GC * sizeof absent, &absent, sizeof absent);
  memcpy(block + offset + EVENT_MODE * sizeof absent, &absent, sizeof absent);
}

// Returns whether a table with the metatable {__mode = "k"} keeps objects that nothing else
// references.
static bool keeps_all(lua_State *L) {
  lua_createtable(L, 0, 1);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_newtable(L);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_gc(L, LUA_GCCOLLECT);
  lua_pushnil(L);
  bool kept = lua_next(L, -2) != 0;
  lua_settop(L, 0);
  return kept;
}

void internals_prepare(void) {
  first_block first = {NULL, 0};
  lua_State *L = lua_newstate(allocate_noting_first, &first);
  if (L == NULL || first.size > BLOCK_BYTES_MAX) return;
  seed_offset = find_seed(L, &first);
  size_t offset = find_names(L, &first);
  if (offset != 0) {
    memcpy(absent_name, string_object(L, "__mode"), sizeof absent_name);
    hide_names(first.block, offset);
    if (keeps_all(L)) names_offset = offset;
  }
  lua_close(L);
}

bool lua_environment_is_complete(void) { return names_offset != 0 && seed_offset != 0; }

void internals_hide_names(char *block) {
  if (names_offset != 0) hide_names(block, names_offset);
}

void internals_set_seed(char *block, uint64_t seed) {
  uint32_t mixed = (uint32_t)(seed ^ seed >> 32);
  if (seed_offset != 0) memcpy(block + seed_offset, &mixed, sizeof mixed);
}
