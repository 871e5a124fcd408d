// Starts processes. This code is in C because a worker must start with exactly one extra
// descriptor, and Swift's Glibc module lacks posix_spawn_file_actions_addclosefrom_np.
#ifndef FETCHRUN_CSPAWN_H
#define FETCHRUN_CSPAWN_H

#include <sys/types.h>

typedef struct {
  pid_t process;    // > 0, or the negated errno of the failure
  int descriptor;   // the host's end of the socket pair, non-blocking, close-on-exec
} spawn_worker_result;

typedef struct {
  pid_t process;    // > 0, or the negated errno of the failure
  int output;       // the end from which its output is read, close-on-exec
} spawn_command_result;

typedef struct {
  pid_t process;    // > 0, or the negated errno of the failure
  int lifeline;     // keep it open while the group may run; close-on-exec
} spawn_guard_result;

// Raises the soft limit of this process's descriptors to `wanted`, or to the hard limit if the hard
// limit is lower. Returns the new soft limit. The programs that the functions below start have the
// previous soft limit, because some programs use select(2), which cannot handle a descriptor above
// 1023. Call it before any program is started.
unsigned long raise_descriptor_limit(unsigned long wanted);

// Starts the worker program at `path`. The worker has default signals, the null device as input and
// output, and one end of a socket pair as descriptor 3. Its environment has only
// SWIFT_BACKTRACE=enable=no, because the sandbox refuses the fork of the backtracer.
// `error_descriptor` becomes the worker's standard error; -1 means the null device.
spawn_worker_result spawn_worker(const char *_Nonnull path, int error_descriptor);

// Starts a program by its path, or by its name in PATH, with this process's environment and default
// signals. The program leads a process group of its own. The program has the null device as input
// and error, a pipe as output, and no other descriptor.
spawn_command_result spawn_command(char *_Nonnull const *_Nonnull arguments);

// Starts a program like spawn_command, but with the given environment and the given bytes as
// standard input. The input is a file in memory, so no thread has to write the input while the
// program reads. `output` contains the program's standard output and standard error together.
// `guard` is the guard whose process group the program joins. Before the program begins, it tells
// the guard its id, because it may leave the group: the guard then also kills the program and the
// group that the program leads. If the program does not start, the guard may have been killed. With
// null, the program leads a group of its own.
spawn_command_result spawn_hook(
    char *_Nonnull const *_Nonnull arguments, char *_Nonnull const *_Nonnull environment,
    const void *_Nullable input, size_t input_bytes, const spawn_guard_result *_Nullable guard);

// Starts a process that leads its own process group and kills that group, itself included, when
// `lifeline` is closed. The kernel also closes `lifeline` when this process is killed.
// PR_SET_PDEATHSIG would end only the started program, not the programs that it has started itself.
// Fails with ENOENT if there is no /bin/sh, or with an error such as EMFILE.
spawn_guard_result spawn_guard(void);

#endif
