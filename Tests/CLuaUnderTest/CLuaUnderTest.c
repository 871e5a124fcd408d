// Compiles the sources once more under other names. In the product, their checks use the current
// run, which does not exist here.
#define _GNU_SOURCE
#define bytes_find under_test_bytes_find
#define lua_bounded_check under_test_check
#define lua_bounded_first_place under_test_first_place
#define lua_bounded_last_place under_test_last_place
#define lua_bounded_open_strings under_test_open_strings
#define lua_bounded_open_tables under_test_open_tables
#define lua_bounded_open_utf8 under_test_open_utf8
#define lua_bounded_tolstring under_test_tolstring
#define lua_pattern_check under_test_pattern_check
#define lua_pattern_find_ahead under_test_pattern_find_ahead
#define lua_pattern_look_ahead under_test_pattern_look_ahead
#define lua_pattern_match under_test_pattern_match
#define lua_pattern_open under_test_pattern_open
#define lua_pattern_push_capture under_test_pattern_push_capture
#define lua_pattern_push_captures under_test_pattern_push_captures
#define lua_pattern_read_class under_test_pattern_read_class
#define lua_pattern_scan under_test_pattern_scan
#define lua_string_find under_test_string_find
#define lua_string_format under_test_string_format
#define lua_string_gmatch under_test_string_gmatch
#define lua_string_gsub under_test_string_gsub
#define lua_string_match under_test_string_match
#define lua_table_check under_test_table_check
#define lua_table_length under_test_table_length
#define lua_table_sort under_test_table_sort
#define lua_text_add_value under_test_text_add_value
#define lua_text_open under_test_text_open
#define lua_text_push under_test_text_push
#define lua_text_reserve under_test_text_reserve

#include "../../Sources/CLua/bytes_find.c"
#include "../../Sources/CLua/pattern.c"
#include "../../Sources/CLua/pattern_item.c"
#include "../../Sources/CLua/pattern_scan.c"
#include "../../Sources/CLua/string_format.c"
#include "../../Sources/CLua/string_search.c"
#include "../../Sources/CLua/strings.c"
#include "../../Sources/CLua/table_sort.c"
#include "../../Sources/CLua/tables.c"
#include "../../Sources/CLua/text.c"
#include "../../Sources/CLua/utf8.c"

#include "CLuaUnderTest.h"

typedef struct {
  int64_t checks;
  int64_t checks_max;
} check_count;

// The count is stored in the space that Lua gives each state and copies to its coroutines.
static check_count *count_of(lua_State *L) { return *(check_count **)lua_getextraspace(L); }

void under_test_check(lua_State *L) {
  check_count *count = count_of(L);
  count->checks++;
  if (count->checks_max >= 0 && count->checks >= count->checks_max) {
    luaL_error(L, "no time left");
  }
}

static int checks(lua_State *L) {
  lua_pushinteger(L, count_of(L)->checks);
  return 1;
}

// Sets the global `stock` to copies of the tables of Lua's libraries.
static void keep_stock(lua_State *L) {
  static const char *const names[] = {"string", "table", "utf8"};
  lua_newtable(L);
  for (int i = 0; i < 3; i++) {
    lua_newtable(L);
    lua_getglobal(L, names[i]);
    for (lua_pushnil(L); lua_next(L, -2) != 0;) {
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_settable(L, -5);
    }
    lua_pop(L, 1);
    lua_setfield(L, -2, names[i]);
  }
  lua_setglobal(L, "stock");
}

static void open_ours(lua_State *L) {
  lua_newtable(L);
  lua_bounded_open_strings(L);
  lua_setfield(L, -2, "string");
  lua_bounded_open_tables(L);
  lua_setfield(L, -2, "table");
  lua_bounded_open_utf8(L);
  lua_setfield(L, -2, "utf8");
  lua_setglobal(L, "ours");
}

typedef struct {
  const char *folder;
  const char *code;
  int64_t seed;
} job;

static int run_job(lua_State *L) {
  const job *wanted = lua_touserdata(L, 1);
  luaL_openlibs(L);
  keep_stock(L);
  open_ours(L);
  lua_pushinteger(L, wanted->seed);
  lua_setglobal(L, "seed");
  lua_pushstring(L, wanted->folder);
  lua_setglobal(L, "folder");
  lua_pushcfunction(L, checks);
  lua_setglobal(L, "checks");
  if (luaL_loadbuffer(L, wanted->code, strlen(wanted->code), "=test") != LUA_OK) lua_error(L);
  lua_call(L, 0, 0);
  return 0;
}

char *lua_under_test_run(const char *folder, const char *code, int64_t seed, int64_t checks_max) {
  lua_State *L = luaL_newstate();
  if (L == NULL) return strdup("no memory");
  check_count count = {0, checks_max};
  *(check_count **)lua_getextraspace(L) = &count;
  job wanted = {folder, code, seed};
  lua_pushcfunction(L, run_job);
  lua_pushlightuserdata(L, &wanted);
  char *error = NULL;
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
    const char *message = lua_tostring(L, -1);
    error = strdup(message != NULL ? message : "an error that is not a string");
  }
  lua_close(L);
  return error;
}
