#define _GNU_SOURCE
#include "CSpawn.h"

#include "CSpawnReported.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { worker_descriptor = 3, buffer_bytes = 256 << 10 };

// The descriptors 0, 1, 2 and 3 of a child; -1 means the null device or, for descriptor 3, no
// descriptor.
typedef struct {
  int input, output, error, worker;
} streams;

// The type of posix_spawn, and of posix_spawnp, which searches PATH.
typedef int (*starter)(
    pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
    char *const[], char *const[]);

static int add_stream(posix_spawn_file_actions_t *actions, int ours, int theirs) {
  return ours < 0 ? posix_spawn_file_actions_addopen(actions, theirs, "/dev/null", O_WRONLY, 0)
                  : posix_spawn_file_actions_adddup2(actions, ours, theirs);
}

static int add_actions(posix_spawn_file_actions_t *actions, streams given) {
  int status = given.input < 0
      ? posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0)
      : posix_spawn_file_actions_adddup2(actions, given.input, 0);
  if (!status) status = add_stream(actions, given.output, 1);
  if (!status) status = add_stream(actions, given.error, 2);
  int first_closed = worker_descriptor;
  if (!status && given.worker >= 0)
    status = posix_spawn_file_actions_adddup2(actions, given.worker, first_closed++);
  if (!status) status = posix_spawn_file_actions_addclosefrom_np(actions, first_closed);
  return status;
}

static int set_attributes(posix_spawnattr_t *attributes) {
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  int status = posix_spawnattr_setsigdefault(attributes, &all);
  if (!status) status = posix_spawnattr_setsigmask(attributes, &none);
  if (!status)
    // The child gets another process group, so that Ctrl-C on the terminal reaches only the host.
    status = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  if (!status) status = posix_spawnattr_setpgroup(attributes, 0);
  return status;
}

// The limit of descriptors before raise_descriptor_limit. The soft limit is 0 if the limit was not
// raised.
static struct rlimit descriptors_before = {0, 0};

unsigned long raise_descriptor_limit(unsigned long wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit)) return 0;
  if (limit.rlim_cur >= wanted) return limit.rlim_cur;
  struct rlimit raised = limit;
  raised.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
  if (raised.rlim_cur <= limit.rlim_cur || setrlimit(RLIMIT_NOFILE, &raised)) return limit.rlim_cur;
  if (!descriptors_before.rlim_cur) descriptors_before = limit;
  return raised.rlim_cur;
}

// Sets the previous limit in the started program, because posix_spawn cannot set limits and a limit
// of this process applies to all its threads. The program may already have run its first
// instructions. The limit of a program of another user cannot be set.
static void restore_descriptor_limit(pid_t process) {
  if (descriptors_before.rlim_cur) prlimit(process, RLIMIT_NOFILE, &descriptors_before, NULL);
}

static int spawn(
    starter start, pid_t *process, const char *path, streams given, char *const *arguments,
    char *const *environment) {
  posix_spawn_file_actions_t actions;
  int status = posix_spawn_file_actions_init(&actions);
  if (status) return status;
  posix_spawnattr_t attributes;
  status = posix_spawnattr_init(&attributes);
  if (status) {
    posix_spawn_file_actions_destroy(&actions);
    return status;
  }
  status = add_actions(&actions, given);
  if (!status) status = set_attributes(&attributes);
  if (!status) status = start(process, path, &actions, &attributes, arguments, environment);
  if (!status) restore_descriptor_limit(*process);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return status;
}

// Moves a descriptor above 3. If it already were descriptor 3, dup2 would leave close-on-exec set.
static int move_up(int descriptor) {
  if (descriptor > worker_descriptor) return descriptor;
  int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, worker_descriptor + 1);
  int code = errno;
  close(descriptor);
  errno = code;
  return moved;
}

spawn_worker_result spawn_worker(const char *path, int error_descriptor) {
  spawn_worker_result result = {0, -1};
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair)) {
    result.process = -errno;
    return result;
  }
  for (int i = 0; i < 2; i++) {
    int size = buffer_bytes;
    setsockopt(pair[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  }
  int theirs = move_up(pair[1]);
  if (theirs < 0) {
    result.process = -errno;
    close(pair[0]);
    return result;
  }
  char *const arguments[] = {(char *)"fetchrun-worker", NULL};
  char *const environment[] = {(char *)"SWIFT_BACKTRACE=enable=no", NULL};
  streams given = {-1, -1, error_descriptor, theirs};
  int status = spawn(posix_spawn, &result.process, path, given, arguments, environment);
  close(theirs);
  if (status) {
    close(pair[0]);
    result.process = -status;
    return result;
  }
  result.descriptor = pair[0];
  return result;
}

// Starts a program. `input` is -1 or above descriptor 3. With `tells_error` the output also
// contains the program's standard error. `guard` is null for a process group of its own.
static spawn_command_result command(
    char *const *arguments, char *const *environment, int input, int tells_error,
    const spawn_guard_result *guard) {
  spawn_command_result result = {0, -1};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) {
    result.process = -errno;
    return result;
  }
  // The null device is opened as descriptor 0 first, so the output must have another descriptor.
  int theirs = move_up(ends[1]);
  int status;
  if (theirs < 0) {
    status = errno;
  } else if (guard) {
    reported_streams given = {input, theirs, guard->lifeline, guard->process};
    status = spawn_reported(&result.process, given, arguments, environment);
    if (!status) restore_descriptor_limit(result.process);
  } else {
    streams given = {input, theirs, tells_error ? theirs : -1, -1};
    status = spawn(posix_spawnp, &result.process, arguments[0], given, arguments, environment);
  }
  if (theirs >= 0) close(theirs);
  if (status) {
    close(ends[0]);
    result.process = -status;
    return result;
  }
  result.output = ends[0];
  return result;
}

spawn_command_result spawn_command(char *const *arguments) {
  return command(arguments, environ, -1, 0, NULL);
}

// Returns the descriptor of a file in memory with the given bytes, positioned at its beginning. On
// failure, returns -1 with errno set.
static int memory_file(const void *bytes, size_t count) {
  int file = memfd_create("input", MFD_CLOEXEC);
  if (file < 0) return -1;
  // If the file were descriptor 0, dup2 would leave close-on-exec set.
  file = move_up(file);
  const char *next = bytes;
  while (file >= 0 && count > 0) {
    ssize_t written = write(file, next, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      close(file);
      return -1;
    }
    next += written;
    count -= (size_t)written;
  }
  if (file >= 0) lseek(file, 0, SEEK_SET);
  return file;
}

spawn_command_result spawn_hook(
    char *const *arguments, char *const *environment, const void *input, size_t input_bytes,
    const spawn_guard_result *guard) {
  spawn_command_result result = {0, -1};
  int file = memory_file(input, input_bytes);
  if (file < 0) {
    result.process = -errno;
    return result;
  }
  result = command(arguments, environment, file, 1, guard);
  close(file);
  return result;
}

// `read` ends when no process has the other end of its input open any more. The guard ignores
// signals that a program sends to its own group, such as `kill 0` at the end of scripts. The guard
// is a shell script, because a shell is small and present on every system. Without a shell, the
// guard would have to be a fork of the whole host.
// The first line of its input is the id of the program, which the program writes itself. The
// program, and the group that the program leads if it has left the guard's group, are killed, too.
static const char guard_script[] =
    "trap '' HUP INT QUIT TERM; read -r id; read -r _;"
    " [ \"$id\" ] && kill -9 \"$id\" \"-$id\"; kill -9 0";

spawn_guard_result spawn_guard(void) {
  spawn_guard_result result = {0, -1};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) {
    result.process = -errno;
    return result;
  }
  int theirs = move_up(ends[0]);
  ends[1] = move_up(ends[1]);
  char *const arguments[] = {(char *)"sh", (char *)"-c", (char *)guard_script, NULL};
  char *const environment[] = {NULL};
  streams given = {theirs, -1, -1, -1};
  int status = theirs < 0 || ends[1] < 0
      ? errno
      : spawn(posix_spawn, &result.process, "/bin/sh", given, arguments, environment);
  if (theirs >= 0) close(theirs);
  if (status) {
    if (ends[1] >= 0) close(ends[1]);
    result.process = -status;
    return result;
  }
  result.lifeline = ends[1];
  return result;
}
