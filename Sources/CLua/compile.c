// Compiles source text to bytecode, in a separate Lua state that is freed afterwards.
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// Compiles source text. The output is the bytecode, or the failure as an encoded object.
static lua_step compile_alone(
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
  lua_code code = {.name = (char *)name};
  lua_chunk chunk = {&code, false};
  lua_run *run = run_open_to_compile(&limits, &chunk);
  if (run == NULL) return LUA_STEP_KILLED;
  lua_step step = LUA_STEP_KILLED;
  if (_setjmp(run->escape) == 0) step = compile(run, name, source, count, strip, output);
  lua_run_close(run);
  return step;
}

// Gives the bytecode to the code, unless another thread was faster. Takes what `made` owns.
static bool keep(lua_code *code, lua_buffer *made) {
  lua_buffer *kept = malloc(sizeof *kept), *none = NULL;
  if (kept != NULL) {
    *kept = *made;
    if (atomic_compare_exchange_strong(&code->bytecode, &none, kept)) return true;
    free(kept);
  }
  lua_buffer_free(made);
  return none != NULL;
}

static lua_code *make(const char *name) {
  lua_code *code = calloc(1, sizeof *code);
  if (code == NULL) return NULL;
  code->name = strdup(name);
  if (code->name != NULL) return code;
  free(code);
  return NULL;
}

lua_step lua_code_compile(
    const char *name, const uint8_t *source, size_t count, lua_code **code, lua_buffer *failure) {
  lua_buffer output = {0};
  lua_step step = compile_alone(name, source, count, false, &output);
  if (step != LUA_STEP_FINISHED) {
    *failure = output;
    return step;
  }
  lua_code *made = make(name);
  if (made == NULL) {
    lua_buffer_free(&output);
    return LUA_STEP_KILLED;
  }
  if (!keep(made, &output)) {
    lua_code_free(made);
    return LUA_STEP_KILLED;
  }
  *code = made;
  return LUA_STEP_FINISHED;
}

lua_code *lua_code_defer(const char *name, const uint8_t *source, size_t count) {
  lua_code *code = make(name);
  if (code == NULL) return NULL;
  code->source = malloc(count + 1); // an empty source has memory, too
  if (code->source == NULL) {
    lua_code_free(code);
    return NULL;
  }
  memcpy(code->source, source, count);
  code->count = count;
  return code;
}

const lua_buffer *code_bytecode(lua_code *code) {
  if (atomic_load(&code->bytecode) == NULL) {
    lua_buffer output = {0};
    if (code->source == NULL) return NULL;
    lua_step step = compile_alone(code->name, code->source, code->count, true, &output);
    if (step != LUA_STEP_FINISHED) {
      lua_buffer_free(&output);
      return NULL;
    }
    if (!keep(code, &output)) return NULL;
  }
  return atomic_load(&code->bytecode);
}

void lua_code_free(lua_code *code) {
  lua_buffer *bytecode = atomic_load(&code->bytecode);
  if (bytecode != NULL) lua_buffer_free(bytecode);
  free(bytecode);
  free(code->source);
  free(code->name);
  free(code);
}
