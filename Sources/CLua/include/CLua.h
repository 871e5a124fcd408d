// One Lua state per run, with limits that Lua code cannot escape. This is the only code that uses
// lua_State. Every Lua call that can raise an error is made inside a protected call, so no longjmp
// crosses a Swift frame. The functions below take and return bytes, and never raise an error to
// their caller.
//
// Values are encoded as ValueTag in FetchValues/Values/ValueReader.swift describes. Only one thread
// may use a run at a time.
#ifndef FETCHRUN_CLUA_H
#define FETCHRUN_CLUA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lua_run lua_run;

// Code in Lua with its name, whose creator releases it with lua_code_free. Several threads may run
// the same code.
typedef struct lua_code lua_code;

// Code that a run finds by its name. Trusted chunks can access the privileged table `fetchrun`;
// other chunks can access only the plugin's globals.
typedef struct {
  lua_code *_Nonnull code;
  bool trusted;
} lua_chunk;

// A growing buffer that its creator owns and releases with lua_buffer_free.
typedef struct {
  uint8_t *_Nullable bytes;
  size_t count;
  size_t capacity;
} lua_buffer;

// Makes room for `count` more bytes; returns false if there is no memory.
bool lua_buffer_reserve(lua_buffer *_Nonnull buffer, size_t count);
// Appends bytes; returns false, with the buffer unchanged, if there is no memory.
bool lua_buffer_append(lua_buffer *_Nonnull buffer, const void *_Nullable bytes, size_t count);
void lua_buffer_free(lua_buffer *_Nonnull buffer);

typedef struct {
  uint64_t cpu_nanoseconds_max;   // CPU time of all slices of the run
  uint64_t slice_nanoseconds_max; // CPU time after which a slice ends with LUA_STEP_PREEMPTED
  size_t memory_bytes_max;        // memory of the Lua state
  size_t message_bytes_max;       // size of one encoded value that is passed out
  uint32_t nesting_max;           // nesting of tables in a value that is passed out
} lua_run_limits;

// The reason for a run's forced end. Order and numbers are shared with Swift.
typedef enum {
  LUA_DEATH_NONE = 0,
  LUA_DEATH_CPU = 1,
  LUA_DEATH_MEMORY = 2,
  LUA_DEATH_CANCELLED = 3, // by lua_run_kill, with the caller's reason
} lua_death;

typedef enum {
  LUA_STEP_FINISHED = 0,  // output: the encoded result
  LUA_STEP_REQUEST = 1,   // output: encoded list [name, argument...]; next: lua_run_resume
  LUA_STEP_PREEMPTED = 2, // the slice is used up; next: lua_run_continue
  LUA_STEP_FAILED = 3,    // output: an encoded object, see below
  LUA_STEP_KILLED = 4,    // see lua_run_death; the run can only be closed. Output: encoded object
                          // {file?, line?, traceback: [...]} with the run's place; or nothing
} lua_step;

// A failure is {message, file?, line?, code?, traceback: [...]}; all text is valid UTF-8. `code` is
// the code passed to fetchrun.fail, or `invalidValue`, `nestingLimit` or `resultLimit` for a value
// that cannot be encoded.

// A handler that executes the pure library function with the number `function`. `arguments` is an
// encoded list, which is valid during the call. `context` is the context of the run. The handler
// must not call Lua. Its results are:
// * 0: the handler appended an encoded list of return values to `output`;
// * 1: the handler appended a plain UTF-8 message, which is raised as a Lua error at the caller's
//   line;
// * 2: the handler appended a message, and the function returns nil, message;
// * 3: the function returns json.null, which would be nil as a value of the list.
typedef int (*lua_library_function)(
    void *_Nullable context, uint32_t function, const uint8_t *_Nonnull arguments, size_t count,
    lua_buffer *_Nonnull output);

// A handler of a one-way message from trusted Lua code (`fetchrun.notify(name, value...)`). The
// message is an encoded list [name, argument...]. The handler returns 0 to continue, or another
// value to kill the run (LUA_DEATH_CANCELLED).
typedef int (*lua_notify_function)(
    void *_Nullable context, const uint8_t *_Nonnull message, size_t count);

// The handlers for all runs of the process. They are set once, before the first run.
typedef struct {
  lua_library_function _Nonnull library;
  lua_notify_function _Nonnull notify;
} lua_environment;

// Prepares the process. Checks that the linked Lua has the functions of the allow list, and starts
// the CPU tick: a timer of the calling thread's CPU clock that sends SIGPROF. Returns NULL, or the
// problem as a static string. Call it before the process is locked down.
const char *_Nullable lua_environment_prepare(const lua_environment *_Nonnull environment);

// Returns whether Lua's internal state has the layout that this code supports. With this layout,
// `__mode` and `__gc` in a metatable have no effect even if these fields are set after
// setmetatable. Also, only the run's seed determines the order of string keys in `pairs`.
bool lua_environment_is_complete(void);

// Compiles source text (never bytecode). `name` appears in messages as `name:line:`. Returns
// LUA_STEP_FINISHED with the code in `code`, LUA_STEP_FAILED with an encoded object like that of a
// failed run in `failure`, or LUA_STEP_KILLED if there is no memory. Limits: 1 MiB of source, 64
// MiB of memory.
lua_step lua_code_compile(
    const char *_Nonnull name, const uint8_t *_Nonnull source, size_t count,
    lua_code *_Nullable *_Nonnull code, lua_buffer *_Nonnull failure);

// Makes code from a correct source. The first run that loads it compiles it. Only for trusted
// chunks: no message refers to them, so the bytecode has no lines and names, which saves a third of
// the loading time and memory. Returns NULL if there is no memory.
lua_code *_Nullable lua_code_defer(
    const char *_Nonnull name, const uint8_t *_Nonnull source, size_t count);

void lua_code_free(lua_code *_Nonnull code);

// Opens a run of the given chunks, which must outlive the run. Returns NULL if there is no memory.
// The callbacks receive `context`. `seed` seeds math.random, so that the run can be repeated
// exactly.
lua_run *_Nullable lua_run_open(
    const lua_run_limits *_Nonnull limits, const lua_chunk *_Nonnull chunks, size_t chunk_count,
    void *_Nullable context, uint64_t seed);

// Starts the trusted chunk `main` with the arguments (an encoded list). The step's output stays
// valid until the next call on this run.
lua_step lua_run_start(
    lua_run *_Nonnull run, const char *_Nonnull main, const uint8_t *_Nonnull arguments,
    size_t count);

// Answers a request. `fetchrun.call` then returns the values of the encoded list `reply`. If
// `failed`, `reply` is a plain UTF-8 message, which `fetchrun.call` raises as an error.
lua_step lua_run_resume(
    lua_run *_Nonnull run, const uint8_t *_Nonnull reply, size_t count, bool failed);
lua_step lua_run_continue(lua_run *_Nonnull run);

const uint8_t *_Nonnull lua_run_output(const lua_run *_Nonnull run, size_t *_Nonnull count);

// Describes the value at a path of names, at the place where a run has failed (its last step was
// LUA_STEP_FAILED). The path is an encoded list: the name of a local variable, or "" for the last
// result of `response:json()`, and then keys. Output: an encoded object {type, count, empty, names}
// with the names of the value's fields and methods, or nothing if the path is unknown.
void lua_run_describe(lua_run *_Nonnull run, const uint8_t *_Nonnull path, size_t count);

// Kills the run: its current step, or the next one, ends with LUA_STEP_KILLED. `reason` is a number
// of the caller, which lua_run_kill_reason returns.
void lua_run_kill(lua_run *_Nonnull run, int reason);
lua_death lua_run_death(const lua_run *_Nonnull run);
int lua_run_kill_reason(const lua_run *_Nonnull run);

typedef struct {
  uint64_t cpu_nanoseconds;
  size_t memory_bytes;      // in use now
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
//   fetchrun.kind(value)          returns the value's type for a message: `nil` or `a table`

#endif
