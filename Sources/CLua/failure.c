// Encodes failures of a run as an object {message, file?, line?, code?, traceback}.
#include "state.h"

#include <stdio.h>
#include <string.h>

#include "tags.h"

#define MESSAGE_BYTES_MAX 2048
#define FRAME_BYTES_MAX 200
// The numbers of innermost and outermost frames that a traceback of a deep stack contains.
#define FRAMES_INNER_MAX 12
#define FRAMES_OUTER_MAX 8
// The maximum number of stack levels that a traceback searches. A stack may have about 200,000.
#define LEVELS_MAX 1000

static const char failure_key = 0;
static const char no_message[] = "an error was raised without a message";

// Returns the name of a frame's chunk, without the character by which Lua marks the kind of source.
static const char *chunk_name(const lua_Debug *frame) {
  return *frame->source == '=' || *frame->source == '@' ? frame->source + 1 : frame->short_src;
}

bool failure_is_plugin(lua_State *L, lua_Debug *frame) {
  lua_getinfo(L, "Sl", frame);
  if (*frame->what == 'C' || frame->currentline < 0) return false;
  const lua_chunk *chunk = run_find_chunk(run_of(L), chunk_name(frame));
  return chunk == NULL || !chunk->trusted;
}

bool failure_find_place(lua_State *thread, lua_Debug *frame) {
  for (int level = 0; level < LEVELS_MAX && lua_getstack(thread, level, frame); level++) {
    if (failure_is_plugin(thread, frame)) return true;
  }
  return false;
}

void failure_push_position(lua_State *L) {
  lua_Debug frame;
  if (failure_find_place(L, &frame)) {
    lua_pushfstring(L, "%s:%d: ", chunk_name(&frame), frame.currentline);
  } else {
    lua_pushliteral(L, "");
  }
}

static void push_metatable(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &failure_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_createtable(L, 0, 0);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &failure_key);
}

static bool is_failure(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
  bool marked = lua_rawgetp(L, LUA_REGISTRYINDEX, &failure_key) == LUA_TTABLE &&
                lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return marked;
}

_Noreturn void failure_raise(lua_State *L, const char *code, const char *message) {
  luaL_checkstack(L, 6, "failure");
  lua_createtable(L, 0, 2);
  lua_pushstring(L, code);
  lua_setfield(L, -2, "code");
  failure_push_position(L);
  lua_pushstring(L, message);
  lua_concat(L, 2);
  lua_setfield(L, -2, "message");
  push_metatable(L);
  lua_setmetatable(L, -2);
  lua_error(L);
  __builtin_unreachable();
}

// Pushes a field of the table at `index` if it is a string; otherwise pushes nothing.
static const char *push_string_field(lua_State *L, int index, const char *name, size_t *count) {
  index = lua_absindex(L, index);
  lua_pushstring(L, name);
  if (lua_rawget(L, index) == LUA_TSTRING) return lua_tolstring(L, -1, count);
  lua_pop(L, 1);
  return NULL;
}

// The position that Lua writes before an error in a chunk without line numbers. Trusted chunks have
// no line numbers.
static const char no_place[] = "?:-1: ";
#define NO_PLACE_BYTES (sizeof no_place - 1)

void failure_to_string(lua_State *L) {
  if (lua_type(L, -1) == LUA_TSTRING) {
    const char *text = lua_tostring(L, -1);
    if (strncmp(text, no_place, NO_PLACE_BYTES) != 0) return;
    luaL_checkstack(L, 4, "failure");
    failure_push_position(L);
    lua_pushstring(L, text + NO_PLACE_BYTES);
    lua_concat(L, 2);
    lua_replace(L, -2);
    return;
  }
  if (!is_failure(L, -1)) return;
  size_t count;
  if (push_string_field(L, -1, "message", &count) == NULL) lua_pushliteral(L, "failed");
  lua_replace(L, -2);
}

// The state of encoding a failure.
typedef struct {
  lua_buffer *output;
  size_t members;
  bool complete; // false if there was no memory for a part
} writer;

static void must(writer *writer, bool appended) { writer->complete &= appended; }

// Writes a text from a plugin as valid UTF-8 of limited length, with a `?` for each invalid byte.
static void write_text(writer *writer, const char *text, size_t count, size_t bytes_max) {
  char clean[MESSAGE_BYTES_MAX];
  size_t used = 0;
  while (count > 0 && used < bytes_max) {
    size_t room = count < bytes_max - used ? count : bytes_max - used;
    size_t valid = values_utf8_prefix(text, room);
    memcpy(clean + used, text, valid);
    used += valid;
    // The text ends before a character that the limit would cut. Any other invalid byte is
    // replaced.
    if (valid == room || (room < count && room - valid < 4)) break;
    clean[used++] = '?';
    text += valid + 1;
    count -= valid + 1;
  }
  must(writer, values_append_string(writer->output, clean, used));
}

static void write_key(writer *writer, const char *key) {
  must(writer, values_append_string(writer->output, key, strlen(key)));
  writer->members++;
}

static void write_member(
    writer *writer, const char *key, const char *text, size_t count, size_t bytes_max) {
  write_key(writer, key);
  write_text(writer, text, count, bytes_max);
}

static void write_place(writer *writer, const char *file, size_t file_count, int line) {
  write_member(writer, "file", file, file_count, FRAME_BYTES_MAX);
  write_key(writer, "line");
  must(writer, values_append_integer(writer->output, line));
}

static void write_frame(writer *writer, lua_State *thread, lua_Debug *frame) {
  lua_getinfo(thread, "nt", frame);
  char text[FRAME_BYTES_MAX];
  const char *file = chunk_name(frame);
  // After a tail call, the caller's frame is no longer on the stack and cannot be shown.
  const char *tail = frame->istailcall ? ", by a tail call" : "";
  int count;
  if (*frame->what == 'm') {
    count = snprintf(text, sizeof text, "%s:%d: in the main chunk", file, frame->currentline);
  } else if (frame->name != NULL) {
    count = snprintf(
        text, sizeof text, "%s:%d: in function '%s'", file, frame->currentline, frame->name);
  } else {
    count = snprintf(
        text, sizeof text, "%s:%d: in function <%s:%d>%s", file, frame->currentline, file,
        frame->linedefined, tail);
  }
  if (count < 0) count = 0;
  size_t used = (size_t)count < sizeof text ? (size_t)count : sizeof text - 1;
  write_text(writer, text, used, FRAME_BYTES_MAX);
}

static int count_frames(lua_State *thread) {
  lua_Debug frame;
  int count = 0;
  for (int level = 0; level < LEVELS_MAX && lua_getstack(thread, level, &frame); level++) {
    if (failure_is_plugin(thread, &frame)) count++;
  }
  return count;
}

static void write_traceback(writer *writer, lua_State *thread) {
  write_key(writer, "traceback");
  int total = count_frames(thread);
  bool cut = total > FRAMES_INNER_MAX + FRAMES_OUTER_MAX;
  int written = cut ? FRAMES_INNER_MAX + FRAMES_OUTER_MAX + 1 : total;
  must(writer, values_append_head(writer->output, TAG_ARRAY, (size_t)written));
  lua_Debug frame;
  int place = 0;
  for (int level = 0; level < LEVELS_MAX && lua_getstack(thread, level, &frame); level++) {
    if (!failure_is_plugin(thread, &frame)) continue;
    bool inner = place < FRAMES_INNER_MAX, outer = place >= total - FRAMES_OUTER_MAX;
    if (!cut || inner || outer) {
      write_frame(writer, thread, &frame);
    } else if (place == FRAMES_INNER_MAX) {
      write_text(writer, "...", 3, FRAME_BYTES_MAX);
    }
    place++;
  }
}

// The prefix `file:line: ` of a message that names a chunk of this run.
typedef struct {
  const char *file;
  size_t file_count;
  int line;
  size_t count; // of the whole prefix; 0 if none
  bool trusted;
} prefix;

static size_t read_digits(const char *text, size_t count, int *number) {
  size_t used = 0;
  *number = 0;
  while (used < count && used < 8 && text[used] >= '0' && text[used] <= '9') {
    *number = *number * 10 + (text[used++] - '0');
  }
  return used;
}

static prefix find_prefix(const lua_run *run, const char *message, size_t count) {
  if (count > NO_PLACE_BYTES && memcmp(message, no_place, NO_PLACE_BYTES) == 0) {
    return (prefix){"", 0, 0, NO_PLACE_BYTES, true};
  }
  for (size_t i = 0; i < run->chunk_count; i++) {
    const lua_chunk *chunk = &run->chunks[i];
    const char *name = chunk->code->name;
    size_t name_count = strlen(name);
    if (name_count + 4 > count || memcmp(message, name, name_count) != 0) continue;
    if (message[name_count] != ':') continue;
    int line;
    size_t at = name_count + 1, digits = read_digits(message + at, count - at, &line);
    at += digits;
    if (digits == 0 || count - at < 2 || memcmp(message + at, ": ", 2) != 0) continue;
    return (prefix){name, name_count, line, at + 2, chunk->trusted};
  }
  return (prefix){0};
}

static writer begin_failure(lua_run *run) {
  writer writer = {&run->output, 0, true};
  run->output.count = 0;
  must(&writer, values_append_head(&run->output, TAG_OBJECT, 0));
  return writer;
}

static bool end_failure(writer *writer) {
  if (!writer->complete) {
    writer->output->count = 0;
    return false;
  }
  uint8_t *count = writer->output->bytes + 1;
  for (int i = 0; i < 4; i++) count[i] = (uint8_t)(writer->members >> (8 * i));
  return true;
}

// Returns the text of the error object on top of the stack, without running plugin code. The text
// stays on the stack.
static const char *error_text(lua_State *L, size_t *count) {
  int type = lua_type(L, -1);
  if (type == LUA_TSTRING || type == LUA_TNUMBER) return lua_tolstring(L, -1, count);
  if (type == LUA_TTABLE) {
    const char *text = push_string_field(L, -1, "message", count);
    if (text != NULL) return text;
  }
  lua_pushfstring(L, "the error is a %s, not a message", luaL_typename(L, -1));
  return lua_tolstring(L, -1, count);
}

void failure_encode(lua_State *L, lua_State *thread) {
  lua_run *run = run_of(L);
  int error = lua_gettop(L);
  writer writer = begin_failure(run);
  size_t count;
  if (is_failure(L, error)) {
    const char *code = push_string_field(L, error, "code", &count);
    if (code != NULL) write_member(&writer, "code", code, count, FRAME_BYTES_MAX);
    lua_settop(L, error);
  }
  const char *message = error_text(L, &count);
  prefix prefix = find_prefix(run, message, count);
  message += prefix.count;
  count -= prefix.count;
  if (count == 0) {
    message = no_message;
    count = sizeof no_message - 1;
  }
  write_member(&writer, "message", message, count, MESSAGE_BYTES_MAX);
  lua_Debug frame;
  if (prefix.count > 0 && !prefix.trusted) {
    write_place(&writer, prefix.file, prefix.file_count, prefix.line);
  } else if (failure_find_place(thread, &frame)) {
    const char *file = chunk_name(&frame);
    write_place(&writer, file, strlen(file), frame.currentline);
  }
  write_traceback(&writer, thread);
  lua_settop(L, error - 1);
  if (!end_failure(&writer)) run_die(run, LUA_DEATH_MEMORY);
}

// Encodes the run's position without raising an error or allocating in Lua. The run is being ended,
// perhaps in the middle of an allocation, so no further jump is possible.
void failure_encode_place(lua_run *run) {
  lua_State *thread = run->current;
  lua_Debug frame;
  if (thread == NULL || run->output.count != 0) return;
  writer writer = begin_failure(run);
  if (failure_find_place(thread, &frame)) {
    const char *file = chunk_name(&frame);
    write_place(&writer, file, strlen(file), frame.currentline);
  }
  write_traceback(&writer, thread);
  end_failure(&writer);
}
