// Compiles source text to bytecode, in a separate Lua state that is freed afterwards.
#include "state.h"

#include <stdio.h>

#define SOURCE_BYTES_MAX (1 << 20)
#define MEMORY_BYTES_MAX (64 << 20)
#define NAME_BYTES_MAX 256

static int write_bytecode(lua_State *L, const void *bytes, size_t count, void *context) {
  (void)L;
  return lua_buffer_append(context, bytes, count) ? 0 : 1;
}

static lua_step fail(lua_run *run, lua_buffer *output) {
  failure_encode(run->main, run->main);
  output->count = 0;
  lua_buffer_append(output, run->output.bytes, run->output.count);
  return LUA_STEP_FAILED;
}

static lua_step compile(
    lua_run *run, const char *name, const uint8_t *source, size_t count, bool strip,
    lua_buffer *output) {
  lua_State *L = run->main;
  if (count > SOURCE_BYTES_MAX) {
    lua_pushfstring(L, "the file is larger than %d bytes", SOURCE_BYTES_MAX);
    return fail(run, output);
  }
  char chunk_name[NAME_BYTES_MAX];
  snprintf(chunk_name, sizeof chunk_name, "=%s", name);
  if (luaL_loadbufferx(L, (const char *)source, count, chunk_name, "t") != LUA_OK) {
    return fail(run, output);
  }
  if (lua_dump(L, write_bytecode, output, strip) != 0) run_die(run, LUA_DEATH_MEMORY);
  return LUA_STEP_FINISHED;
}

lua_step lua_compile(
    const char *name, const uint8_t *source, size_t count, bool strip, lua_buffer *output) {
  lua_run_limits limits = {
      .cpu_nanoseconds_max = UINT64_MAX,
      .slice_nanoseconds_max = UINT64_MAX,
      .memory_bytes_max = MEMORY_BYTES_MAX,
      .message_bytes_max = MEMORY_BYTES_MAX,
      .nesting_max = 1,
  };
  output->count = 0;
  // Gives the run a chunk of this name, so that the position before a message is recognised.
  lua_chunk chunk = {name, (const uint8_t *)"", 0, false};
  lua_run *run = run_open_to_compile(&limits, &chunk);
  if (run == NULL) return LUA_STEP_KILLED;
  lua_step step = LUA_STEP_KILLED;
  if (_setjmp(run->escape) == 0) step = compile(run, name, source, count, strip, output);
  lua_run_close(run);
  return step;
}
