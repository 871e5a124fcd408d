// One Lua state per run, with limits that Lua code cannot escape. The only code that touches
// lua_State: every Lua call that can raise happens in here, inside a protected call, so no longjmp
// ever crosses a Swift frame. Bytes go in, bytes come out; nothing in here ever raises to its caller.
//
// Values are encoded as FetchValues/Values/ValueTag.swift describes. One thread only.
#ifndef FETCHRUN_CLUA_H
#define FETCHRUN_CLUA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lua_run lua_run;

// Code that lua_compile made, known to a run under its name. Trusted chunks see the privileged table
// `fetchrun`; others see only the plugin's world.
typedef struct {
  const char *_Nonnull name;
  const uint8_t *_Nonnull bytecode;
  size_t count;
  bool trusted;
} lua_chunk;

// A growing buffer owned by whoever made it; release it with lua_buffer_free.
typedef struct {
  uint8_t *_Nullable bytes;
  size_t count;
  size_t capacity;
} lua_buffer;

// false: out of memory, the buffer is unchanged.
bool lua_buffer_append(lua_buffer *_Nonnull buffer, const void *_Nullable bytes, size_t count);
void lua_buffer_free(lua_buffer *_Nonnull buffer);

typedef struct {
  uint64_t cpu_nanoseconds_max;   // CPU time of the run, all slices together
  uint64_t slice_nanoseconds_max; // after this much CPU a slice ends with LUA_STEP_PREEMPTED
  size_t memory_bytes_max;        // what the Lua state may hold
  size_t message_bytes_max;       // one encoded value on its way out
  uint32_t nesting_max;           // tables inside each other in a value on its way out
} lua_run_limits;

// Why a run ended against its will. Order and numbers are shared with Swift.
typedef enum {
  LUA_DEATH_NONE = 0,
  LUA_DEATH_CPU = 1,
  LUA_DEATH_MEMORY = 2,
  LUA_DEATH_CANCELLED = 3, // lua_run_kill, by the reason given there
} lua_death;

typedef enum {
  LUA_STEP_FINISHED = 0,  // output: the encoded result
  LUA_STEP_REQUEST = 1,   // output: encoded list [name, argument...]; answer with lua_run_resume
  LUA_STEP_PREEMPTED = 2, // slice used up: call lua_run_continue when others had their turn
  LUA_STEP_FAILED = 3,    // output: encoded object, see below
  LUA_STEP_KILLED = 4,    // see lua_run_death; the run can only be closed. Output: encoded object
                          // {file?, line?, traceback: [...]}: where it was; or nothing
} lua_step;

// A failure is {message, file?, line?, code?, traceback: [...]}; all text is valid UTF-8. `code` is
// that of fetchrun.fail, or `invalidValue`, `nestingLimit`, `resultLimit` for a value that could
// not be sent.

// A pure library function. `arguments` is an encoded list, valid during the call. Appends an
// encoded list of return values to `output` and returns 0, or appends a plain UTF-8 message and
// returns 1 (a Lua error with that message, at the caller's line) or 2 (returns nil, message), or
// returns 3 (returns json.null, which would be nil as a value of the list).
// Must not call back into Lua. `context` is the run's.
typedef int (*lua_library_function)(
    void *_Nullable context, uint32_t function, const uint8_t *_Nonnull arguments, size_t count,
    lua_buffer *_Nonnull output);

// A one-way message from trusted Lua code (`fetchrun.notify(name, value...)`): an encoded list
// [name, argument...]. Returns 0 to go on, anything else to kill the run (LUA_DEATH_CANCELLED).
typedef int (*lua_notify_function)(
    void *_Nullable context, const uint8_t *_Nonnull message, size_t count);

// The process's environment for all runs; copied where needed, set once before the first run.
typedef struct {
  lua_library_function _Nonnull library;
  lua_notify_function _Nonnull notify;
} lua_environment;

// Prepares the process: checks the allow list of the Lua environment against the Lua it is linked
// with, arms the CPU tick (a timer of the calling thread's CPU clock, SIGPROF).
// Returns NULL, or what is wrong as static text. Call before the process is locked down.
const char *_Nullable lua_environment_prepare(const lua_environment *_Nonnull environment);

// Whether Lua's inner state has the layout that this code knows: then metatables with `__mode` or
// `__gc` have no effect even when these are set late, and `pairs` gives string keys in an order
// that only the run's seed decides.
bool lua_environment_is_complete(void);

// Compiles source text (never bytecode) named `name` (shown in messages as `name:line:`). Returns
// LUA_STEP_FINISHED with bytecode in `output`, or LUA_STEP_FAILED with an encoded object like a
// failed run's. With `strip` lines and names are left out: a third of the time to load and of the
// memory, for trusted chunks, which no message points into. Bounded: source at most 1 MiB, memory 64 MiB.
lua_step lua_compile(
    const char *_Nonnull name, const uint8_t *_Nonnull source, size_t count, bool strip,
    lua_buffer *_Nonnull output);

// A run of these chunks, which must live as long as it; NULL when there is no memory. `context` is
// handed to the callbacks. `seed` seeds math.random, so that the run can be repeated exactly.
lua_run *_Nullable lua_run_open(
    const lua_run_limits *_Nonnull limits, const lua_chunk *_Nonnull chunks, size_t chunk_count,
    void *_Nullable context, uint64_t seed);

// Starts the trusted chunk `main` with the decoded arguments (an encoded list). The step's output
// stays valid until the next call for this run.
lua_step lua_run_start(
    lua_run *_Nonnull run, const char *_Nonnull main, const uint8_t *_Nonnull arguments,
    size_t count);

// Answers a request: an encoded list that `fetchrun.call` returns, or, with `failed`, a plain
// UTF-8 message it raises.
lua_step lua_run_resume(
    lua_run *_Nonnull run, const uint8_t *_Nonnull reply, size_t count, bool failed);
lua_step lua_run_continue(lua_run *_Nonnull run);

const uint8_t *_Nonnull lua_run_output(const lua_run *_Nonnull run, size_t *_Nonnull count);

// Describes what a path of names stood for where a run failed (its last step: LUA_STEP_FAILED). The
// path is an encoded list: a local variable's name (or "" for what the last `response:json()` gave),
// then keys. Output: an encoded object {type, count, names}, the names being those of its fields and
// methods; or nothing where nobody knows.
void lua_run_describe(lua_run *_Nonnull run, const uint8_t *_Nonnull path, size_t count);

// Marks the run dead; it ends with LUA_STEP_KILLED at its next instruction, whatever it does.
// `reason` is the caller's own number, read back by lua_run_kill_reason.
void lua_run_kill(lua_run *_Nonnull run, int reason);
lua_death lua_run_death(const lua_run *_Nonnull run);
int lua_run_kill_reason(const lua_run *_Nonnull run);

typedef struct {
  uint64_t cpu_nanoseconds;
  size_t memory_bytes;      // held now
  size_t memory_bytes_peak;
  uint32_t slices;
} lua_run_usage;
lua_run_usage lua_run_usage_now(const lua_run *_Nonnull run);

// For tests: preempts at every so many VM instructions from the next step on, whatever the time.
void lua_run_preempt_every(lua_run *_Nonnull run, int instructions);

// Drops all memory of the run at once; no Lua code runs (no __gc, no __close).
void lua_run_close(lua_run *_Nonnull run);

// The privileged table `fetchrun`, seen only by trusted chunks:
//   fetchrun.call(name, ...)      asks the host: yields LUA_STEP_REQUEST, returns what it answers
//   fetchrun.notify(name, ...)    one-way message to the worker, no yield
//   fetchrun.library(number)      a Lua function that calls the pure library function `number`
//   fetchrun.chunk(name)          the chunk of that name as a function (not yet called), or nil;
//                                 an untrusted chunk's environment is the plugin's globals
//   fetchrun.globals              the plugin's global table (strict: undefined reads are errors)
//   fetchrun.clock()              monotonic seconds, a float
//   fetchrun.null                 json.null, the sentinel for null
//   fetchrun.array(table)         marks a table as a list, so that {} is encoded as an empty list
//   fetchrun.fail(code, message)  raises an error at the plugin's line whose code reaches the host;
//                                 a plugin's pcall sees the message as a string

#endif
