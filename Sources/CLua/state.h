// The declarations that the files of this target share: the run that owns a lua_State, and the ways
// to end it.
//
// A forced end is one jump (run_escape) from any place to the step that executes the run, over all
// Lua and C frames. This is safe because the state is not used afterwards: its memory is freed with
// the arena, and no frame here owns anything else. Therefore no pcall, message handler, __close or
// C function can notice, delay or catch the end of a run.
#ifndef FETCHRUN_STATE_H
#define FETCHRUN_STATE_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>

#include "CLua.h"
#include "arena.h"
#include "bounded.h"

typedef enum {
  PENDING_NONE = 0,
  PENDING_REQUEST = 1, // fetchrun.call yielded
  PENDING_PREEMPT = 2, // the slice is used up
} run_pending;

typedef enum {
  WAITS_FOR_START,
  WAITS_FOR_REPLY,
  WAITS_FOR_TURN,
  ENDED,
} run_waiting;

struct lua_code {
  char *name;
  uint8_t *source; // NULL if the code was compiled when it was made
  size_t count;
  _Atomic(lua_buffer *) bytecode; // NULL until the code is compiled; never changes afterwards
};

struct lua_run {
  arena arena;
  size_t refused_size; // the size of the last refused allocation; 0 after one succeeds
  char *state_block;   // the block that contains Lua's global state
  lua_State *main;
  lua_State *body;     // the coroutine that runs the chunk `main`
  lua_State *current;  // the coroutine that runs now, which the tick interrupts
  jmp_buf escape;

  lua_run_limits limits;
  void *context;
  run_waiting waiting;
  run_pending pending;
  lua_death death;
  int kill_reason;
  unsigned unyieldable; // C frames in the coroutine chain that block yields
  int forced_instructions; // tests only: instructions before a preemption

  volatile sig_atomic_t alarm; // set by the tick, cleared by each check
  bool slice_measured;         // whether the slice has read the CPU clock
  uint32_t slices;
  uint64_t cpu_nanoseconds;    // CPU time of all slices before this one
  uint64_t slice_nanoseconds;  // CPU time of this slice, at its last measurement
  uint64_t slice_began_at;     // the monotonic time at the start of the slice
  uint64_t slice_cpu_mark;     // thread CPU clock at the last measurement

  uint64_t seed;
  bool is_seeded; // whether the seed of the strings' hash was set
  uint64_t random[4];
  const lua_chunk *chunks;
  size_t chunk_count;

  const char *main_name;
  const uint8_t *message; // the input of this step: arguments or a reply
  size_t message_count;
  bool message_failed;
  bool has_warned_of_fields; // see fields.c
  lua_buffer output;    // the output of the step
  lua_buffer arguments; // the arguments of a library function or a notice
  lua_buffer answer;    // the results of a library function
};

static inline lua_run *run_of(lua_State *L) { return *(lua_run **)lua_getextraspace(L); }

// run.c
// Creates a run that can compile but not run code, because its environment is empty.
lua_run *run_open_to_compile(const lua_run_limits *limits, const lua_chunk *chunk);
_Noreturn void run_escape(lua_run *run);
_Noreturn void run_die(lua_run *run, lua_death death);
// Clears a buffer and frees memory that only a large value needed.
void run_reset_buffer(lua_buffer *buffer);
const lua_chunk *run_find_chunk(const lua_run *run, const char *name);

// tick.c
const char *tick_prepare(void);
// Begins a slice. Returns false if this thread can have no timer. The run must then not start,
// because nothing could stop it.
bool tick_begin(lua_run *run);
void tick_end(lua_run *run);
void tick_hook(lua_State *L, lua_Debug *activation);
// Records that another coroutine becomes the current one.
void tick_switch(lua_run *run, lua_State *to);

// environment.c
extern lua_environment environment;
// Lua's own functions, filled by lua_environment_prepare.
extern lua_CFunction environment_ipairs, environment_pairs;
// The iterators that Lua's `ipairs` and `pairs` return.
extern lua_CFunction environment_ipairs_next, environment_next;
void environment_open(lua_State *L);
// Pushes a new table with the base functions for plugins, and with room for `more` names.
void environment_push_base(lua_State *L, int more);

// internals.c. `block` is the first block that a state allocates.
void internals_prepare(void);
void internals_hide_names(char *block);
// Sets the seed of strings. Call it at the second allocation, when Lua has chosen a seed but not
// used it yet.
void internals_set_seed(char *block, uint64_t seed);

// globals.c: makes the table on top strict.
void globals_make_strict(lua_State *L);

// base.c, coroutines.c, random.c
int base_collectgarbage(lua_State *L);
int base_ipairs(lua_State *L);
int base_load(lua_State *L);
int base_pairs(lua_State *L);
int base_pcall(lua_State *L);
int base_setmetatable(lua_State *L);
int base_tostring(lua_State *L);
int base_xpcall(lua_State *L);
int coroutines_isyieldable(lua_State *L);
int coroutines_resume(lua_State *L);
int coroutines_running(lua_State *L);
int coroutines_wrap(lua_State *L);
int coroutines_yield(lua_State *L);
void random_seed(lua_run *run, uint64_t seed, uint64_t more);
int random_random(lua_State *L);
int random_randomseed(lua_State *L);

int extremes_max(lua_State *L);
int extremes_min(lua_State *L);

// values
extern const char values_null; // its address is the sentinel json.null, a light userdata
void values_push_null(lua_State *L);
void values_push_array_metatable(lua_State *L);
int values_array(lua_State *L);
// Encodes a value. This function and the next one raise a structured failure if a value cannot be
// encoded.
void values_encode(lua_State *L, int index, lua_buffer *output);
// Encodes the values on the stack, from `first` to the top, as a list.
void values_encode_arguments(lua_State *L, int first, lua_buffer *output);
// Pushes the elements of an encoded list and returns their number. Raises an error if the bytes are
// not a list.
int values_decode_list(lua_State *L, const uint8_t *bytes, size_t count);

// Appends to an encoded value; returns false if there is no memory.
bool values_append_head(lua_buffer *output, uint8_t tag, size_t count);
bool values_append_integer(lua_buffer *output, int64_t value);
bool values_append_string(lua_buffer *output, const char *text, size_t count);
// Returns the length of the longest prefix that is UTF-8.
size_t values_utf8_prefix(const char *text, size_t count);

// compile.c: returns the bytecode, which it compiles if no run has loaded the code yet; NULL if
// there is no memory.
const lua_buffer *code_bytecode(lua_code *code);

// privileged.c: pushes the table `fetchrun`.
void privileged_push(lua_State *L);
void privileged_push_chunk(lua_State *L, const lua_chunk *chunk);
// fetchrun.notify(name, ...)
int privileged_notify(lua_State *L);

// fields.c: logs a warning, once per run, if the table at the given index has only named fields.
void fields_warn(lua_State *L, int table);

// failure.c
// Returns whether a frame belongs to the plugin, as Lua code that is in no trusted chunk.
bool failure_is_plugin(lua_State *L, lua_Debug *frame);
// Finds the innermost frame of the plugin in the coroutine `thread`; returns false if the plugin
// has no frame there.
bool failure_find_place(lua_State *thread, lua_Debug *frame);
// Pushes `file:line: ` of the plugin's innermost frame, or "".
void failure_push_position(lua_State *L);
// Raises a failure with a code that reaches the host. In a plugin, `pcall` returns the failure's
// message as a string.
_Noreturn void failure_raise(lua_State *L, const char *code, const char *message);
// Replaces a structured failure on top of the stack by its message.
void failure_to_string(lua_State *L);
// Encodes the error object on top of `L`, raised in `thread`, to the run's output.
void failure_encode(lua_State *L, lua_State *thread);
// Encodes the current position of a run that is being ended.
void failure_encode_place(lua_run *run);

#endif
