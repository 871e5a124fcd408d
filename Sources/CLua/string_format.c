#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bounded.h"
#include "bounded_limits.h"
#include "byte_set.h"
#include "strings.h"
#include "text.h"

// The capacity for a specification with the `%`, a length modifier (`ll`) and the final zero.
#define SPECIFICATION_CAPACITY (FORMAT_SPECIFICATION_BYTES_MAX + 4)

typedef struct {
  char bytes[SPECIFICATION_CAPACITY];
  size_t count;
} specification;

static bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

// Reads flags, width, precision and the letter after `%`; returns the letter's place.
static const char *read_specification(lua_State *L, const char *at, specification *spec) {
  size_t count = strspn(at, "-+#0 123456789.") + 1;
  if (count >= FORMAT_SPECIFICATION_BYTES_MAX) luaL_error(L, "invalid format (too long)");
  spec->bytes[0] = '%';
  memcpy(spec->bytes + 1, at, count);
  spec->count = count + 1;
  spec->bytes[spec->count] = '\0';
  return at + count - 1;
}

static const char *skip_digits(const char *at) {
  for (int i = 0; i < FORMAT_DIGITS_MAX && is_digit(*at); i++) at++;
  return at;
}

// Raises an error unless the specification has only these flags, and widths of two digits.
static void check_specification(
    lua_State *L, const specification *spec, const char *flags, bool takes_precision) {
  const char *at = spec->bytes + 1;
  at += strspn(at, flags);
  if (*at != '0') { // a leading zero is a flag, which is not allowed here
    at = skip_digits(at);
    if (*at == '.' && takes_precision) at = skip_digits(at + 1);
  }
  if (!byte_set_has(byte_set_of_class('a'), (unsigned char)*at)) {
    luaL_error(L, "invalid conversion specification: '%s'", spec->bytes);
  }
}

static void add_length_modifier(specification *spec, const char *modifier) {
  size_t length = strlen(modifier);
  char letter = spec->bytes[spec->count - 1];
  memcpy(spec->bytes + spec->count - 1, modifier, length);
  spec->count += length;
  spec->bytes[spec->count - 1] = letter;
  spec->bytes[spec->count] = '\0';
}

static void add_integer(
    lua_text *text, int argument, specification *spec, const char *flags) {
  lua_Integer value = luaL_checkinteger(text->state, argument);
  check_specification(text->state, spec, flags, true);
  add_length_modifier(spec, LUA_INTEGER_FRMLEN);
  lua_text_reserve(text, FORMAT_ITEM_BYTES_MAX);
  text->count += (size_t)snprintf(
      text->bytes + text->count, FORMAT_ITEM_BYTES_MAX, spec->bytes, (LUAI_UACINT)value);
}

static void add_float(lua_text *text, int argument, specification *spec, bool checks_first) {
  static const char flags[] = "-+#0 ";
  if (checks_first) check_specification(text->state, spec, flags, true);
  lua_Number value = luaL_checknumber(text->state, argument);
  if (!checks_first) check_specification(text->state, spec, flags, true);
  lua_text_reserve(text, FORMAT_ITEM_BYTES_MAX);
  text->count += (size_t)snprintf(
      text->bytes + text->count, FORMAT_ITEM_BYTES_MAX, spec->bytes, (LUAI_UACNUMBER)value);
}

static void add_character(lua_text *text, int argument, const specification *spec) {
  check_specification(text->state, spec, "-", false);
  int value = (int)luaL_checkinteger(text->state, argument);
  lua_text_reserve(text, FORMAT_ITEM_BYTES_MAX);
  text->count += (size_t)snprintf(
      text->bytes + text->count, FORMAT_ITEM_BYTES_MAX, spec->bytes, value);
}

static void add_string(lua_text *text, int argument, const specification *spec) {
  lua_State *L = text->state;
  size_t count;
  const char *bytes = lua_bounded_tolstring(L, argument, &count);
  if (spec->count == 2) {
    lua_text_add_value(text);
    return;
  }
  luaL_argcheck(L, memchr(bytes, '\0', count) == NULL, argument, "string contains zeros");
  check_specification(L, spec, "-", true);
  if (strchr(spec->bytes, '.') == NULL && count >= 100) { // longer than any width
    lua_text_add_value(text);
    return;
  }
  lua_text_reserve(text, FORMAT_ITEM_BYTES_MAX);
  text->count += (size_t)snprintf(
      text->bytes + text->count, FORMAT_ITEM_BYTES_MAX, spec->bytes, bytes);
  lua_pop(L, 1);
}

// Adds a string as a quoted literal of Lua.
static void add_quoted(lua_text *text, const char *bytes, size_t count) {
  const byte_set *controls = byte_set_of_class('c');
  lua_text_add_byte(text, '"');
  for (size_t i = 0; i < count; i++) {
    if (i % SEARCH_CHUNK_BYTES == SEARCH_CHUNK_BYTES - 1) lua_bounded_check(text->state);
    char byte = bytes[i];
    if (byte == '"' || byte == '\\' || byte == '\n') {
      lua_text_add_byte(text, '\\');
      lua_text_add_byte(text, byte);
    } else if (byte_set_has(controls, (unsigned char)byte)) {
      bool digit_follows = i + 1 < count && is_digit(bytes[i + 1]);
      char escape[8];
      int length = snprintf(
          escape, sizeof escape, digit_follows ? "\\%03d" : "\\%d", (unsigned char)byte);
      lua_text_add(text, escape, (size_t)length);
    } else {
      lua_text_add_byte(text, byte);
    }
  }
  lua_text_add_byte(text, '"');
}

static void add_literal_number(lua_text *text, int argument) {
  lua_State *L = text->state;
  lua_text_reserve(text, FORMAT_ITEM_BYTES_MAX);
  char *to = text->bytes + text->count;
  int count;
  if (lua_isinteger(L, argument)) {
    lua_Integer value = lua_tointeger(L, argument);
    // the least integer has no decimal literal
    count = snprintf(
        to, FORMAT_ITEM_BYTES_MAX,
        value == LUA_MININTEGER ? "0x%" LUA_INTEGER_FRMLEN "x" : LUA_INTEGER_FMT,
        (LUAI_UACINT)value);
  } else {
    lua_Number value = lua_tonumber(L, argument);
    if (isinf(value)) {
      count = snprintf(to, FORMAT_ITEM_BYTES_MAX, value > 0 ? "1e9999" : "-1e9999");
    } else if (isnan(value)) {
      count = snprintf(to, FORMAT_ITEM_BYTES_MAX, "(0/0)");
    } else {
      count = snprintf(to, FORMAT_ITEM_BYTES_MAX, "%a", value);
    }
  }
  text->count += (size_t)count;
}

static void add_literal(lua_text *text, int argument) {
  lua_State *L = text->state;
  switch (lua_type(L, argument)) {
    case LUA_TSTRING: {
      size_t count;
      const char *bytes = lua_tolstring(L, argument, &count);
      add_quoted(text, bytes, count);
      return;
    }
    case LUA_TNUMBER: add_literal_number(text, argument); return;
    case LUA_TNIL:
    case LUA_TBOOLEAN:
      luaL_tolstring(L, argument, NULL);
      lua_text_add_value(text);
      return;
    default: luaL_argerror(L, argument, "value has no literal form");
  }
}

static void add_item(lua_text *text, int argument, specification *spec) {
  lua_State *L = text->state;
  switch (spec->bytes[spec->count - 1]) {
    case 'c': add_character(text, argument, spec); return;
    case 'd':
    case 'i': add_integer(text, argument, spec, "-+0 "); return;
    case 'u': add_integer(text, argument, spec, "-0"); return;
    case 'o':
    case 'x':
    case 'X': add_integer(text, argument, spec, "-#0"); return;
    case 'a':
    case 'A': add_float(text, argument, spec, true); return;
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G': add_float(text, argument, spec, false); return;
    case 's': add_string(text, argument, spec); return;
    case 'q':
      if (spec->count > 2) luaL_error(L, "specifier '%%q' cannot have modifiers");
      add_literal(text, argument);
      return;
    default: // includes `%p`, because plugins must not learn addresses
      luaL_error(L, "invalid conversion '%s' to 'format'", spec->bytes);
  }
}

// string.format(formatstring, ...)
int lua_string_format(lua_State *L) {
  int count = lua_gettop(L);
  int argument = 1;
  size_t format_count;
  const char *at = luaL_checklstring(L, 1, &format_count);
  const char *end = at + format_count;
  lua_text text;
  lua_text_open(&text, L, 0);
  while (at < end) {
    const char *percent = memchr(at, '%', (size_t)(end - at));
    if (percent == NULL) percent = end;
    lua_text_add(&text, at, (size_t)(percent - at));
    if (percent == end) break;
    at = percent + 1;
    if (*at == '%') {
      lua_text_add_byte(&text, *at++);
      continue;
    }
    if (++argument > count) return luaL_argerror(L, argument, "no value");
    lua_bounded_check(L);
    specification spec;
    at = read_specification(L, at, &spec) + 1;
    add_item(&text, argument, &spec);
  }
  lua_text_push(&text);
  return 1;
}
