// Strict globals: reading an undefined name is an error whose message suggests the intended name.
#include "state.h"

#include <string.h>

// The maximum length of a name that is compared, because the time is quadratic in the length.
#define COMPARED_BYTES_MAX 32
#define COMPARED_GLOBALS_MAX 200

typedef struct {
  const char *name;
  const char *hint;
} hint_entry;

static const hint_entry hints[] = {
    {"bit32", "use the operators & | ~ << >>"},
    {"console", "use require \"log\""},
    {"ctx", "it is a parameter, as in fetch = function(ctx)"},
    {"debug", "plugins have no debug library"},
    {"dofile", "use require to load a module"},
    {"False", "write false"},
    {"getfenv", "it is not part of Lua 5.4"},
    {"int", "use tonumber"},
    {"io", "there is no io library; plugins can use require \"files\""},
    {"len", "write # before the name of the list: #items"},
    {"loadfile", "use require to load a module"},
    {"loadstring", "use load"},
    {"module", "return a table at the end of the file"},
    {"None", "write nil"},
    {"null", "write nil, or json.null for the null of JSON"},
    {"os", "plugins have no os; use require \"time\" for dates and times"},
    {"package", "plugins have no package; require finds modules by name"},
    {"print", "use require \"log\""},
    {"range", "write `for i = 1, 10 do`"},
    {"setfenv", "it is not part of Lua 5.4"},
    {"str", "use tostring"},
    {"True", "write true"},
    {"undefined", "write nil"},
    {"unpack", "use table.unpack"},
    {"warn", "use require \"log\""},
};

static const char *const modules[] = {
    "base64", "csv", "feed", "files", "hash", "html", "http", "json", "log", "text", "time", "url",
    "xml",
};

#define COUNT(list) (sizeof list / sizeof *list)

static size_t minimum(size_t a, size_t b, size_t c) {
  size_t smaller = a < b ? a : b;
  return smaller < c ? smaller : c;
}

// Returns the number of letters by which the names differ. Each letter that was changed, added,
// removed or swapped with its neighbour counts once.
static size_t distance(const char *a, size_t a_count, const char *b, size_t b_count) {
  size_t rows[3][COMPARED_BYTES_MAX + 1];
  size_t *before = rows[0], *above = rows[1], *row = rows[2];
  for (size_t j = 0; j <= b_count; j++) above[j] = j;
  for (size_t i = 1; i <= a_count; i++) {
    row[0] = i;
    for (size_t j = 1; j <= b_count; j++) {
      size_t change = above[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = minimum(row[j - 1] + 1, above[j] + 1, change);
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && before[j - 2] + 1 < row[j]) row[j] = before[j - 2] + 1;
    }
    size_t *oldest = before;
    before = above;
    above = row;
    row = oldest;
  }
  return above[b_count];
}

typedef struct {
  const char *name;
  size_t count;
  const char *nearest;
  size_t nearest_distance; // only names with a smaller distance are suggested
} search;

static void consider(search *search, const char *candidate, size_t count) {
  if (count > COMPARED_BYTES_MAX) return;
  size_t found = distance(search->name, search->count, candidate, count);
  if (found < search->nearest_distance) {
    search->nearest = candidate;
    search->nearest_distance = found;
  }
}

// Returns the name of the global that is most similar to `name`, or NULL. The globals are the table
// at `index`.
static const char *nearest_global(lua_State *L, int index, const char *name, size_t count) {
  if (count < 3 || count > COMPARED_BYTES_MAX) return NULL;
  // Allows one wrong letter in a short name, and two in a longer one.
  search search = {name, count, NULL, count < 6 ? 2 : 3};
  int compared = 0;
  lua_pushnil(L);
  while (compared < COMPARED_GLOBALS_MAX && lua_next(L, index) != 0) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) {
      size_t candidate_count;
      const char *candidate = lua_tolstring(L, -1, &candidate_count);
      consider(&search, candidate, candidate_count);
    }
    compared++;
  }
  return search.nearest;
}

static const char *hint_for(const char *name) {
  for (size_t i = 0; i < COUNT(hints); i++) {
    if (strcmp(hints[i].name, name) == 0) return hints[i].hint;
  }
  return NULL;
}

static bool is_module(const char *name) {
  for (size_t i = 0; i < COUNT(modules); i++) {
    if (strcmp(modules[i], name) == 0) return true;
  }
  return false;
}

static int refuse_undefined(lua_State *L) {
  if (lua_type(L, 2) != LUA_TSTRING) {
    lua_pushnil(L);
    return 1;
  }
  size_t count;
  const char *name = lua_tolstring(L, 2, &count);
  const char *hint = hint_for(name);
  if (hint != NULL) return luaL_error(L, "undefined global '%s': %s", name, hint);
  if (is_module(name)) {
    return luaL_error(
        L, "undefined global '%s': write local %s = require \"%s\"", name, name, name);
  }
  const char *nearest = nearest_global(L, 1, name, count);
  if (nearest != NULL) {
    return luaL_error(L, "undefined global '%s': did you mean '%s'?", name, nearest);
  }
  return luaL_error(L, "undefined global '%s'", name);
}

void globals_make_strict(lua_State *L) {
  lua_createtable(L, 0, 2);
  lua_pushcfunction(L, refuse_undefined);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}
