// One Lua state per run, with limits that Lua code cannot escape. This is the only code that uses
// lua_State. Every Lua call that can raise is in a protected call here, so no longjmp crosses a
// Swift frame. Its interface is bytes, and it never raises to its caller.
//
// Values are encoded as FetchValues/Values/ValueTag.swift describes. It has one thread only.
#ifndef FETCHRUN_CLUA_H
#define FETCHRUN_CLUA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lua_run lua_run;

// Code made by lua_compile, which a run knows by its name. Trusted chunks see the privileged table
// `fetchrun`; others see only the plugin's globals.
typedef struct {
  const char *_Nonnull name;
  const uint8_t *_Nonnull bytecode;
  size_t count;
  bool trusted;
} lua_chunk;

// A growing buffer that its creator owns and releases with lua_buffer_free.
typedef struct {
  uint8_t *_Nullable bytes;
  size_t count;
  size_t capacity;
} lua_buffer;

// Appends bytes; returns false, with the buffer unchanged, if there is no memory.
bool lua_buffer_append(lua_buffer *_Nonnull buffer, const void *_Nullable bytes, size_t count);
void lua_buffer_free(lua_buffer *_Nonnull buffer);

typedef struct {
  uint64_t cpu_nanoseconds_max;   // CPU time of the run, all slices together
  uint64_t slice_nanoseconds_max; // after this much CPU a slice ends with LUA_STEP_PREEMPTED
  size_t memory_bytes_max;        // what the Lua state may hold
  size_t message_bytes_max;       // one encoded value on its way out
  uint32_t nesting_max;           // tables inside each other in a value on its way out
} lua_run_limits;

// The reason for a run's forced end. Order and numbers are shared with Swift.
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

// A failure is {message, file?, line?, code?, traceback: [...]}; all text is valid UTF-8. `code`
// comes from fetchrun.fail, or is `invalidValue`, `nestingLimit` or `resultLimit` for a value that
// cannot be sent.

// A pure library function. `arguments` is an encoded list, valid during the call; `context` is the
// run's. It must not call back into Lua. It has these results:
// * 0: it appended an encoded list of return values to `output`;
// * 1: it appended a plain UTF-8 message, a Lua error at the caller's line;
// * 2: it appended a message, returned as nil, message;
// * 3: it returns json.null, which would be nil as a value of the list.
typedef int (*lua_library_function)(
    void *_Nullable context, uint32_t function, const uint8_t *_Nonnull arguments, size_t count,
    lua_buffer *_Nonnull output);

// Handles a one-way message from trusted Lua code (`fetchrun.notify(name, value...)`): an encoded
// list [name, argument...]. Returns 0 to continue, any other value to kill the run
// (LUA_DEATH_CANCELLED).
typedef int (*lua_notify_function)(
    void *_Nullable context, const uint8_t *_Nonnull message, size_t count);

// The process's environment for all runs, copied where needed and set once before the first run.
typedef struct {
  lua_library_function _Nonnull library;
  lua_notify_function _Nonnull notify;
} lua_environment;

// Prepares the process: checks the allow list of the Lua environment against the linked Lua, and
// starts the CPU tick (a timer of the calling thread's CPU clock, SIGPROF). Returns NULL, or the
// problem as static text. Call it before the process is locked down.
const char *_Nullable lua_environment_prepare(const lua_environment *_Nonnull environment);

// Returns whether Lua's internal state has the layout that this code knows. Then metatables with
// `__mode` or `__gc` have no effect even when these are set late, and `pairs` orders string keys by
// the run's seed alone.
bool lua_environment_is_complete(void);

// Compiles source text (never bytecode). `name` appears in messages as `name:line:`. Returns
// LUA_STEP_FINISHED with bytecode in `output`, or LUA_STEP_FAILED with an encoded object like a
// failed run's. `strip` drops lines and names, which saves a third of loading time and memory; it
// is for trusted chunks, to which no message points. Limits: 1 MiB of source, 64 MiB of memory.
lua_step lua_compile(
    const char *_Nonnull name, const uint8_t *_Nonnull source, size_t count, bool strip,
    lua_buffer *_Nonnull output);

// Opens a run of these chunks, which must outlive it; returns NULL if there is no memory. The
// callbacks receive `context`. `seed` seeds math.random, so that the run can be repeated exactly.
lua_run *_Nullable lua_run_open(
    const lua_run_limits *_Nonnull limits, const lua_chunk *_Nonnull chunks, size_t chunk_count,
    void *_Nullable context, uint64_t seed);

// Starts the trusted chunk `main` with the arguments (an encoded list). The step's output stays
// valid until the next call on this run.
lua_step lua_run_start(
    lua_run *_Nonnull run, const char *_Nonnull main, const uint8_t *_Nonnull arguments,
    size_t count);

// Answers a request with an encoded list that `fetchrun.call` returns, or, if `failed`, with a
// plain UTF-8 message that it raises.
lua_step lua_run_resume(
    lua_run *_Nonnull run, const uint8_t *_Nonnull reply, size_t count, bool failed);
lua_step lua_run_continue(lua_run *_Nonnull run);

const uint8_t *_Nonnull lua_run_output(const lua_run *_Nonnull run, size_t *_Nonnull count);

// Describes the value of a path of names where a run failed (its last step: LUA_STEP_FAILED). The
// path is an encoded list: a local variable's name (or "" for the last result of
// `response:json()`), then keys. Output: an encoded object {type, count, names} with the names of
// its fields and methods, or nothing if the path is unknown.
void lua_run_describe(lua_run *_Nonnull run, const uint8_t *_Nonnull path, size_t count);

// Marks the run dead; its next instruction ends it with LUA_STEP_KILLED. `reason` is the caller's
// own number, which lua_run_kill_reason returns.
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

// Preempts every `instructions` VM instructions from the next step on, regardless of time; for
// tests.
void lua_run_preempt_every(lua_run *_Nonnull run, int instructions);

// Frees all memory of the run; no Lua code runs (no __gc, no __close).
void lua_run_close(lua_run *_Nonnull run);

// The privileged table `fetchrun`, which only trusted chunks see:
//   fetchrun.call(name, ...)      calls the host: yields LUA_STEP_REQUEST and returns the answer
//   fetchrun.notify(name, ...)    sends a one-way message to the worker, without a yield
//   fetchrun.library(number)      returns a Lua function for the pure library function `number`
//   fetchrun.chunk(name)          returns the chunk of that name as a function, or nil; the
//                                 environment of an untrusted chunk is the plugin's globals
//   fetchrun.globals              the plugin's global table (strict: undefined reads are errors)
//   fetchrun.clock()              returns monotonic seconds, a float
//   fetchrun.null                 json.null, the sentinel for null
//   fetchrun.array(table)         marks a table as a list, so that {} is encoded as an empty list
//   fetchrun.fail(code, message)  raises an error at the plugin's line; the code reaches the host,
//                                 and a plugin's pcall returns the message as a string

#endif
