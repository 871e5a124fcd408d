#include "tables.h"

#include "text.h"

// Returns whether the metatable on top of the stack has the field.
static bool has_field(lua_State *L, const char *name) {
  lua_pushstring(L, name);
  bool is_there = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 1);
  return is_there;
}

void lua_table_check(lua_State *L, int argument, int uses) {
  if (lua_type(L, argument) == LUA_TTABLE) return;
  if (lua_getmetatable(L, argument) &&
      (!(uses & TABLE_READS) || has_field(L, "__index")) &&
      (!(uses & TABLE_WRITES) || has_field(L, "__newindex")) &&
      (!(uses & TABLE_MEASURES) || has_field(L, "__len"))) {
    lua_pop(L, 1);
    return;
  }
  luaL_checktype(L, argument, LUA_TTABLE); // the error
}

lua_Integer lua_table_length(lua_State *L, int argument, int uses) {
  lua_table_check(L, argument, uses | TABLE_MEASURES);
  return luaL_len(L, argument);
}

// table.concat(list [, sep [, i [, j]]])
static int table_concat(lua_State *L) {
  lua_Integer last = lua_table_length(L, 1, TABLE_READS);
  size_t separator_count;
  const char *separator = luaL_optlstring(L, 2, "", &separator_count);
  lua_Integer i = luaL_optinteger(L, 3, 1);
  last = luaL_optinteger(L, 4, last);
  table_pace pace = table_pace_of(L, 1);
  lua_text text;
  lua_text_open(&text, L, 0);
  for (bool is_first = true; i <= last; is_first = false) {
    if (!is_first) lua_text_add(&text, separator, separator_count);
    lua_geti(L, 1, i);
    if (!lua_isstring(L, -1)) {
      return luaL_error(
          L, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(L, -1),
          (LUAI_UACINT)i);
    }
    lua_text_add_value(&text);
    table_pace_step(&pace);
    if (i == last) break; // the next index may be too large for an integer
    i++;
  }
  lua_text_push(&text);
  return 1;
}

// table.insert(list, [pos,] value)
static int table_insert(lua_State *L) {
  lua_Integer length = lua_table_length(L, 1, TABLE_READS | TABLE_WRITES);
  lua_Integer end = (lua_Integer)((lua_Unsigned)length + 1); // may overflow, as in Lua
  lua_Integer place = end;
  switch (lua_gettop(L)) {
    case 2: break;
    case 3: {
      place = luaL_checkinteger(L, 2);
      luaL_argcheck(
          L, (lua_Unsigned)place - 1 < (lua_Unsigned)end, 2, "position out of bounds");
      table_pace pace = table_pace_of(L, 1);
      for (lua_Integer i = end; i > place; i--) {
        lua_geti(L, 1, i - 1);
        lua_seti(L, 1, i);
        table_pace_step(&pace);
      }
      break;
    }
    default: return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  lua_seti(L, 1, place);
  return 0;
}

// table.remove(list [, pos])
static int table_remove(lua_State *L) {
  lua_Integer length = lua_table_length(L, 1, TABLE_READS | TABLE_WRITES);
  lua_Integer place = luaL_optinteger(L, 2, length);
  if (place != length) {
    luaL_argcheck(
        L, (lua_Unsigned)place - 1 <= (lua_Unsigned)length, 2, "position out of bounds");
  }
  table_pace pace = table_pace_of(L, 1);
  lua_geti(L, 1, place);
  for (; place < length; place++) {
    lua_geti(L, 1, place + 1);
    lua_seti(L, 1, place);
    table_pace_step(&pace);
  }
  lua_pushnil(L);
  lua_seti(L, 1, place);
  return 1;
}

// table.move(a1, f, e, t [, a2])
static int table_move(lua_State *L) {
  lua_Integer first = luaL_checkinteger(L, 2);
  lua_Integer last = luaL_checkinteger(L, 3);
  lua_Integer to = luaL_checkinteger(L, 4);
  int target = lua_isnoneornil(L, 5) ? 1 : 5;
  lua_table_check(L, 1, TABLE_READS);
  lua_table_check(L, target, TABLE_WRITES);
  if (last >= first) {
    luaL_argcheck(
        L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
    lua_Integer count = last - first + 1;
    luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    table_pace source_pace = table_pace_of(L, 1);
    table_pace pace = table_pace_of(L, target);
    if (source_pace.rounds_max < pace.rounds_max) pace = source_pace;
    bool is_apart =
        to > last || to <= first || (target != 1 && !lua_compare(L, 1, target, LUA_OPEQ));
    for (lua_Integer i = 0; i < count; i++) {
      lua_Integer offset = is_apart ? i : count - 1 - i;
      lua_geti(L, 1, first + offset);
      lua_seti(L, target, to + offset);
      table_pace_step(&pace);
    }
  }
  lua_pushvalue(L, target);
  return 1;
}

// table.pack(...)
static int table_pack(lua_State *L) {
  int count = lua_gettop(L);
  lua_createtable(L, count, 1);
  lua_insert(L, 1);
  for (int i = count; i >= 1; i--) lua_rawseti(L, 1, i);
  lua_pushinteger(L, count);
  lua_setfield(L, 1, "n");
  return 1;
}

// table.unpack(list [, i [, j]])
static int table_unpack(lua_State *L) {
  lua_Integer first = luaL_optinteger(L, 2, 1);
  lua_Integer last = luaL_opt(L, luaL_checkinteger, 3, luaL_len(L, 1));
  if (first > last) return 0;
  lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
  if (count >= VALUES_MAX || !lua_checkstack(L, (int)count + 1)) {
    return luaL_error(L, "too many results to unpack");
  }
  table_pace pace = table_pace_of(L, 1);
  for (lua_Unsigned i = 0; i <= count; i++) {
    lua_geti(L, 1, (lua_Integer)((lua_Unsigned)first + i));
    table_pace_step(&pace);
  }
  return (int)count + 1;
}

void lua_bounded_open_tables(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"concat", table_concat}, {"insert", table_insert}, {"move", table_move},
      {"pack", table_pack},     {"remove", table_remove}, {"sort", lua_table_sort},
      {"unpack", table_unpack}, {NULL, NULL},
  };
  luaL_newlib(L, functions);
}
