// Starts processes. It is in C because Swift's Glibc module lacks
// posix_spawn_file_actions_addclosefrom_np, and because a worker must start with exactly one
// descriptor.
#ifndef FETCHRUN_CSPAWN_H
#define FETCHRUN_CSPAWN_H

#include <sys/types.h>

typedef struct {
  pid_t process;    // > 0, or the negated errno of the failure
  int descriptor;   // our end of the socket pair, non-blocking, close-on-exec
} spawn_worker_result;

typedef struct {
  pid_t process;    // > 0, or the negated errno of the failure
  int output;       // the end from which its output is read, close-on-exec
} spawn_command_result;

typedef struct {
  pid_t process;    // > 0, or the negated errno of the failure
  int lifeline;     // must be held open, close-on-exec
} spawn_guard_result;

// Raises the soft limit of this process's descriptors to `wanted`, or to a lower hard limit, and
// returns it. The programs started below have the previous soft limit, because select(2), which
// programs use, cannot handle a descriptor above 1023. Call it before anything is started.
unsigned long raise_descriptor_limit(unsigned long wanted);

// Starts `path` with an empty environment (except SWIFT_BACKTRACE=enable=no: the backtracer forks,
// which the sandbox refuses), default signals, the null device as input and output, and one end of
// a socket pair as descriptor 3. `error_descriptor` becomes its standard error; -1: the null
// device.
spawn_worker_result spawn_worker(const char *_Nonnull path, int error_descriptor);

// Starts a program by its path, or by its name in PATH, with this process's environment, default
// signals, and a process group of its own that has its id. It has the null device as input and
// error, a pipe as output, and no other descriptor.
spawn_command_result spawn_command(char *_Nonnull const *_Nonnull arguments);

// Does the same with this environment, and with these bytes as standard input. They are in memory,
// so however long they are, no thread must write them while the program reads. `output` has the
// program's output and error together. `group` is the existing process group that it joins; 0: one
// of its own that has its id.
spawn_command_result spawn_hook(
    char *_Nonnull const *_Nonnull arguments, char *_Nonnull const *_Nonnull environment,
    const void *_Nullable input, size_t input_bytes, pid_t group);

// Starts a process that leads its own process group and kills that group, itself included, when
// `lifeline` is closed. The kernel also closes it when this process is killed. PR_SET_PDEATHSIG
// would reach only the started program, not the programs that it starts. Returns EMFILE and the
// like on failure; ENOENT if there is no /bin/sh.
spawn_guard_result spawn_guard(void);

#endif
