// Starts a worker process. In C because posix_spawn_file_actions_addclosefrom_np is not visible
// from Swift's Glibc module, and because a worker must start with exactly one descriptor.
#ifndef FETCHRUN_CSPAWN_H
#define FETCHRUN_CSPAWN_H

#include <sys/types.h>

typedef struct {
  pid_t process;    // > 0, or the negated errno of what failed
  int descriptor;   // our end of the socket pair, non-blocking, close-on-exec
} spawn_worker_result;

typedef struct {
  pid_t process;    // > 0, or the negated errno of what failed
  int output;       // where its output is read, close-on-exec
} spawn_command_result;

typedef struct {
  pid_t process;    // > 0, or the negated errno of what failed
  int lifeline;     // to be held open, close-on-exec
} spawn_guard_result;

// Raises the soft limit of descriptors of this process to `wanted`, or to the hard limit where that is
// lower, and returns it. Whatever is started below has the soft limit of before, since select(2), as
// programs use it, knows no descriptor above 1023. To be called before anything is started.
unsigned long raise_descriptor_limit(unsigned long wanted);

// Starts `path` with an empty environment (but SWIFT_BACKTRACE=enable=no: the backtracer forks,
// which the sandbox refuses), default signals, the null device as input and output, and one end
// of a socket pair as descriptor 3. `error_descriptor` becomes its standard error; -1: the null
// device.
spawn_worker_result spawn_worker(const char *_Nonnull path, int error_descriptor);

// Starts a program by its path, or by its name in PATH, with this process's environment, default
// signals, in a process group of its own that has its id: the null device as input and error, a pipe
// as output, and no other descriptor.
spawn_command_result spawn_command(char *_Nonnull const *_Nonnull arguments);

// Like spawn_command, with this environment and these bytes as standard input, which lie in memory:
// however much it is, nobody has to write it while the program reads. What the program writes to its
// output and to its error is read from `output` together. `group` is the process group that it is put
// into, which must be there; 0: one of its own that has its id.
spawn_command_result spawn_hook(
    char *_Nonnull const *_Nonnull arguments, char *_Nonnull const *_Nonnull environment,
    const void *_Nullable input, size_t input_bytes, pid_t group);

// Starts a process that leads a process group of its own and kills all of that group, itself too,
// when `lifeline` is closed: also by the kernel, when this process is killed. PR_SET_PDEATHSIG would
// reach the program alone that is started, not what that one starts. EMFILE and the like where
// there is none; ENOENT where there is no /bin/sh.
spawn_guard_result spawn_guard(void);

#endif
