// Warns about `ipairs` on a table with named fields only. Without the warning, such a loop would
// silently do nothing.
#include "state.h"

#include <string.h>

#define NAMES_SHOWN_MAX 12
#define NAME_BYTES_MAX 40
// The maximum number of entries that are read for a warning.
#define ENTRIES_MAX 1000

// The first names of a table in sorted order, so that the warning does not depend on the order of
// keys.
typedef struct {
  const char *names[NAMES_SHOWN_MAX];
  int count;
  bool has_more;
} field_names;

static void insert_name(field_names *fields, const char *name) {
  int place = fields->count;
  while (place > 0 && strcmp(name, fields->names[place - 1]) < 0) place--;
  if (fields->count == NAMES_SHOWN_MAX) {
    fields->has_more = true;
    if (place == NAMES_SHOWN_MAX) return;
  } else {
    fields->count++;
  }
  for (int i = fields->count - 1; i > place; i--) fields->names[i] = fields->names[i - 1];
  fields->names[place] = name;
}

// Reads the names of the table's fields. The table owns the memory of the names. Returns false if
// the table is not an object: an empty table, a list with holes, or a result of `table.pack()`.
static bool read_names(lua_State *L, int table, field_names *fields) {
  fields->count = 0;
  fields->has_more = false;
  lua_pushnil(L);
  for (int entries = 0; lua_next(L, table) != 0; entries++) {
    lua_pop(L, 1);
    if (entries == ENTRIES_MAX) {
      lua_pop(L, 1);
      fields->has_more = true;
      break;
    }
    size_t bytes = 0;
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &bytes) : NULL;
    if (name == NULL || strcmp(name, "n") == 0) {
      lua_pop(L, 1);
      return false;
    }
    if (bytes > NAME_BYTES_MAX || strlen(name) != bytes ||
        values_utf8_prefix(name, bytes) != bytes) {
      fields->has_more = true;
    } else {
      insert_name(fields, name);
    }
  }
  return fields->count > 0;
}

void fields_warn(lua_State *L, int table) {
  lua_run *run = run_of(L);
  lua_Debug frame;
  field_names fields;
  if (run->has_warned_of_fields) return;
  lua_pushnil(L);
  if (lua_next(L, table) == 0) return;
  lua_pop(L, 2);
  if (lua_getmetatable(L, table)) {
    lua_pop(L, 1);
    return;
  }
  // Trusted code needs no warning.
  if (!lua_getstack(L, 1, &frame) || !failure_is_plugin(L, &frame)) return;
  luaL_checkstack(L, 10, "fields");
  if (!read_names(L, table, &fields)) return;
  run->has_warned_of_fields = true;
  lua_pushcfunction(L, privileged_notify);
  lua_pushliteral(L, "log");
  lua_pushliteral(L, "warning");
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  failure_push_position(L);
  luaL_addvalue(&text);
  luaL_addstring(&text, "ipairs found no list entries in a table with the field");
  luaL_addstring(&text, fields.count == 1 && !fields.has_more ? " " : "s ");
  for (int i = 0; i < fields.count; i++) {
    if (i > 0) luaL_addstring(&text, ", ");
    luaL_addstring(&text, fields.names[i]);
  }
  if (fields.has_more) luaL_addstring(&text, " …");
  luaL_addstring(&text, ": name the list in it, or use pairs");
  luaL_pushresult(&text);
  lua_call(L, 3, 0);
}
