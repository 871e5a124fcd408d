#include "state.h"

#include <stdlib.h>
#include <string.h>

// The maximum size of a buffer that is kept after use, so that a waiting run needs little memory.
#define BUFFER_KEPT_BYTES_MAX 4096

_Noreturn void run_escape(lua_run *run) { _longjmp(run->escape, 1); }

_Noreturn void run_die(lua_run *run, lua_death death) {
  if (run->death == LUA_DEATH_NONE) run->death = death;
  run_escape(run);
}

// Ends the run after an error outside any protected call. The only possible reason is a lack of
// memory.
static int on_panic(lua_State *L) { run_die(run_of(L), LUA_DEATH_MEMORY); }

// Handles the first two allocations of a new state. The first one is the block with the global
// state. At the second one, Lua has chosen the seed of strings but not used it yet.
static void note_opening(lua_run *run, void *block) {
  if (run->state_block == NULL) {
    run->state_block = block;
  } else if (!run->is_seeded) {
    internals_set_seed(run->state_block, run->seed);
    run->is_seeded = true;
  }
}

// Allocates memory. After a refusal, Lua does a full collection and repeats the request. A second
// refusal in a row therefore ends the run. A count of all refusals would end runs that only collect
// often.
static void *allocate(void *context, void *block, size_t old_size, size_t new_size) {
  lua_run *run = context;
  if (block == NULL) old_size = 0; // for a new block, Lua passes the kind of object instead
  void *moved = arena_resize(&run->arena, block, old_size, new_size);
  if (moved == NULL && new_size > 0) {
    if (run->refused_size == new_size) run_die(run, LUA_DEATH_MEMORY);
    run->refused_size = new_size;
  } else if (new_size > old_size) {
    run->refused_size = 0;
    if (run->main == NULL) note_opening(run, moved);
  }
  return moved;
}

static int finish_body(lua_State *L, int status, lua_KContext context) {
  (void)status;
  (void)context;
  if (lua_gettop(L) == 0) lua_pushnil(L);
  values_encode(L, 1, &run_of(L)->output);
  return 0;
}

static int run_body(lua_State *L) {
  lua_run *run = run_of(L);
  const lua_chunk *chunk = run_find_chunk(run, run->main_name);
  if (chunk == NULL) return luaL_error(L, "there is no chunk '%s'", run->main_name);
  privileged_push_chunk(L, chunk);
  int count = values_decode_list(L, run->message, run->message_count);
  lua_callk(L, count, LUA_MULTRET, 0, finish_body);
  return finish_body(L, LUA_OK, 0);
}

static void make_state(lua_run *run, bool runs) {
  run->main = lua_newstate(allocate, run);
  if (run->main == NULL) run_die(run, LUA_DEATH_MEMORY);
  *(lua_run **)lua_getextraspace(run->main) = run;
  lua_atpanic(run->main, on_panic);
  internals_hide_names(run->state_block);
  lua_gc(run->main, LUA_GCSTOP);
  if (runs) environment_open(run->main);
  run->body = lua_newthread(run->main);
  run->current = run->body;
  lua_pushcfunction(run->body, run_body);
  lua_gc(run->main, LUA_GCRESTART);
}

static lua_run *open_run(
    const lua_run_limits *limits, const lua_chunk *chunks, size_t chunk_count, void *context,
    uint64_t seed, bool runs) {
  lua_run *run = calloc(1, sizeof *run);
  if (run == NULL) return NULL;
  run->limits = *limits;
  run->chunks = chunks;
  run->chunk_count = chunk_count;
  run->context = context;
  run->seed = seed;
  random_seed(run, seed, 0);
  arena_open(&run->arena, limits->memory_bytes_max);
  if (_setjmp(run->escape) == 0) {
    make_state(run, runs);
    return run;
  }
  lua_run_close(run);
  return NULL;
}

lua_run *lua_run_open(
    const lua_run_limits *limits, const lua_chunk *chunks, size_t chunk_count, void *context,
    uint64_t seed) {
  return open_run(limits, chunks, chunk_count, context, seed, true);
}

lua_run *run_open_to_compile(const lua_run_limits *limits, const lua_chunk *chunk) {
  return open_run(limits, chunk, 1, NULL, 0, false);
}

const lua_chunk *run_find_chunk(const lua_run *run, const char *name) {
  for (size_t i = 0; i < run->chunk_count; i++) {
    if (strcmp(run->chunks[i].code->name, name) == 0) return &run->chunks[i];
  }
  return NULL;
}

void run_reset_buffer(lua_buffer *buffer) {
  if (buffer->capacity > BUFFER_KEPT_BYTES_MAX) lua_buffer_free(buffer);
  buffer->count = 0;
}

static lua_step resume_body(lua_run *run) {
  int count = 0;
  int status = lua_resume(run->body, NULL, 0, &count);
  if (status == LUA_YIELD) {
    bool asks = run->pending == PENDING_REQUEST;
    run->waiting = asks ? WAITS_FOR_REPLY : WAITS_FOR_TURN;
    return asks ? LUA_STEP_REQUEST : LUA_STEP_PREEMPTED;
  }
  run->waiting = ENDED;
  if (status == LUA_OK) return LUA_STEP_FINISHED;
  if (status == LUA_ERRMEM) run_die(run, LUA_DEATH_MEMORY);
  lua_settop(run->main, 1);
  lua_xmove(run->body, run->main, 1);
  failure_encode(run->main, run->body);
  return LUA_STEP_FAILED;
}

static lua_step end_killed(lua_run *run) {
  run->waiting = ENDED;
  return LUA_STEP_KILLED;
}

static lua_step step(
    lua_run *run, run_waiting expected, const uint8_t *message, size_t count, bool failed) {
  run_reset_buffer(&run->output);
  if (run->death != LUA_DEATH_NONE) return end_killed(run);
  if (run->waiting != expected || !tick_begin(run)) {
    run->death = LUA_DEATH_CANCELLED;
    return end_killed(run);
  }
  run->message = message;
  run->message_count = count;
  run->message_failed = failed;
  run->pending = PENDING_NONE;
  lua_step result;
  if (_setjmp(run->escape) == 0) {
    result = resume_body(run);
  } else {
    run_reset_buffer(&run->output);
    failure_encode_place(run);
    result = end_killed(run);
  }
  tick_end(run);
  run->message = NULL;
  run_reset_buffer(&run->arguments);
  run_reset_buffer(&run->answer);
  return result;
}

lua_step lua_run_start(
    lua_run *run, const char *main, const uint8_t *arguments, size_t count) {
  run->main_name = main;
  return step(run, WAITS_FOR_START, arguments, count, false);
}

lua_step lua_run_resume(lua_run *run, const uint8_t *reply, size_t count, bool failed) {
  return step(run, WAITS_FOR_REPLY, reply, count, failed);
}

lua_step lua_run_continue(lua_run *run) { return step(run, WAITS_FOR_TURN, NULL, 0, false); }

const uint8_t *lua_run_output(const lua_run *run, size_t *count) {
  static const uint8_t nothing = 0;
  *count = run->output.count;
  return run->output.bytes != NULL ? run->output.bytes : &nothing;
}

void lua_run_kill(lua_run *run, int reason) {
  if (run->death != LUA_DEATH_NONE) return;
  run->death = LUA_DEATH_CANCELLED;
  run->kill_reason = reason;
}

lua_death lua_run_death(const lua_run *run) { return run->death; }
int lua_run_kill_reason(const lua_run *run) { return run->kill_reason; }

lua_run_usage lua_run_usage_now(const lua_run *run) {
  return (lua_run_usage){
      .cpu_nanoseconds = run->cpu_nanoseconds + run->slice_nanoseconds,
      .memory_bytes = run->arena.used,
      .memory_bytes_peak = run->arena.used_peak,
      .slices = run->slices,
  };
}

void lua_run_preempt_every(lua_run *run, int instructions) {
  run->forced_instructions = instructions;
}

void lua_run_close(lua_run *run) {
  arena_close(&run->arena);
  lua_buffer_free(&run->output);
  lua_buffer_free(&run->arguments);
  lua_buffer_free(&run->answer);
  free(run);
}
