// Describes values for error messages: what a name in the plugin's code referred to when the run
// failed.
#include "state.h"

#include <string.h>

#include "tags.h"

#define LOCALS_MAX 255 // the limit of Lua itself
#define NAMES_MAX 60
#define NAME_BYTES_MAX 40
// The maximum number of entries that are searched for names, because a long list has none.
#define ENTRIES_MAX 1000

// Pushes the value of the innermost local variable with the given name onto `L`.
static bool push_local(lua_State *L, lua_State *thread, lua_Debug *frame, const char *name) {
  bool found = false;
  for (int i = 1; i <= LOCALS_MAX; i++) {
    const char *local = lua_getlocal(thread, frame, i);
    if (local == NULL) break;
    if (strcmp(local, name) != 0) {
      lua_pop(thread, 1);
      continue;
    }
    if (found) lua_pop(L, 1);
    lua_xmove(thread, L, 1);
    found = true;
  }
  return found;
}

static bool push_upvalue(lua_State *L, lua_State *thread, lua_Debug *frame, const char *name) {
  lua_getinfo(thread, "f", frame);
  lua_xmove(thread, L, 1);
  int function = lua_gettop(L);
  for (int i = 1; i <= LOCALS_MAX; i++) {
    const char *upvalue = lua_getupvalue(L, function, i);
    if (upvalue == NULL) break;
    if (strcmp(upvalue, name) == 0) return true;
    lua_pop(L, 1);
  }
  return false;
}

// Pushes the value of a local name. An empty name means the last result of `response:json()`.
static bool push_start(lua_State *L, const char *name) {
  if (*name == 0) {
    privileged_push(L);
    lua_pushliteral(L, "decoded");
    return lua_rawget(L, -2) == LUA_TTABLE;
  }
  lua_State *thread = run_of(L)->body;
  lua_Debug frame;
  if (!lua_checkstack(thread, 2) || !failure_find_place(thread, &frame)) return false;
  return push_local(L, thread, &frame, name) || push_upvalue(L, thread, &frame, name);
}

// Appends the string keys of the table on top of the stack; returns their number.
static int append_names(lua_State *L, lua_buffer *output, int room) {
  int table = lua_gettop(L), count = 0;
  lua_pushnil(L);
  for (int i = 0; i < ENTRIES_MAX && count < room && lua_next(L, table) != 0; i++) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING) continue;
    size_t bytes;
    const char *name = lua_tolstring(L, -1, &bytes);
    if (bytes > NAME_BYTES_MAX || values_utf8_prefix(name, bytes) != bytes) continue;
    if (values_append_string(output, name, bytes)) count++;
  }
  lua_settop(L, table);
  return count;
}

static bool is_empty_table(lua_State *L) {
  if (!lua_istable(L, -1)) return false;
  lua_pushnil(L);
  if (lua_next(L, -2) == 0) return true;
  lua_pop(L, 2);
  return false;
}

// Appends {type =, count =, empty =, names = {...}} for the value on top of the stack. `empty` is 1
// for a table without entries of its own; otherwise 0.
static void append_value(lua_State *L, lua_buffer *output) {
  const char *type = luaL_typename(L, -1);
  values_append_head(output, TAG_OBJECT, 4);
  values_append_string(output, "type", 4);
  values_append_string(output, type, strlen(type));
  values_append_string(output, "count", 5);
  values_append_integer(output, lua_istable(L, -1) ? (int64_t)lua_rawlen(L, -1) : 0);
  values_append_string(output, "empty", 5);
  values_append_integer(output, is_empty_table(L));
  values_append_string(output, "names", 5);
  size_t head = output->count;
  values_append_head(output, TAG_ARRAY, 0);
  int count = lua_istable(L, -1) ? append_names(L, output, NAMES_MAX) : 0;
  // Adds the members that the value inherits through `__index`.
  if (lua_getmetatable(L, -1)) {
    lua_pushliteral(L, "__index");
    if (lua_rawget(L, -2) == LUA_TTABLE) count += append_names(L, output, NAMES_MAX - count);
  }
  if (output->count < head + 5) return;
  for (int i = 0; i < 4; i++) output->bytes[head + 1 + i] = (uint8_t)(count >> (8 * i));
}

// Describes the value at a path. The Lua arguments are the address of the path's bytes and their
// count.
static int describe(lua_State *L) {
  const uint8_t *path = lua_touserdata(L, 1);
  int count = values_decode_list(L, path, (size_t)lua_tointeger(L, 2));
  int first = lua_gettop(L) - count + 1;
  if (count < 1 || lua_type(L, first) != LUA_TSTRING) return 0;
  luaL_checkstack(L, count + 16, "path");
  if (!push_start(L, lua_tostring(L, first))) return 0;
  for (int i = first + 1; i < first + count; i++) {
    if (!lua_istable(L, -1)) return 0;
    lua_pushvalue(L, i);
    lua_rawget(L, -2);
  }
  append_value(L, &run_of(L)->output);
  return 0;
}

void lua_run_describe(lua_run *run, const uint8_t *path, size_t count) {
  run->output.count = 0;
  if (run->waiting != ENDED || run->death != LUA_DEATH_NONE) return;
  if (_setjmp(run->escape) == 0) {
    lua_State *L = run->main;
    lua_settop(L, 0);
    lua_pushcfunction(L, describe);
    lua_pushlightuserdata(L, (void *)path);
    lua_pushinteger(L, (lua_Integer)count);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK) run->output.count = 0;
    lua_settop(L, 0);
  } else {
    run->output.count = 0;
  }
}
