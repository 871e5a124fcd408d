#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

enum { worker_descriptor = 3, buffer_bytes = 256 << 10 };

static int add_actions(posix_spawn_file_actions_t *actions, int theirs, int error_descriptor) {
  int status = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
  if (!status) status = posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
  if (!status)
    status = error_descriptor < 0
        ? posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0)
        : posix_spawn_file_actions_adddup2(actions, error_descriptor, 2);
  if (!status) status = posix_spawn_file_actions_adddup2(actions, theirs, worker_descriptor);
  if (!status)
    status = posix_spawn_file_actions_addclosefrom_np(actions, worker_descriptor + 1);
  return status;
}

static int set_attributes(posix_spawnattr_t *attributes) {
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  int status = posix_spawnattr_setsigdefault(attributes, &all);
  if (!status) status = posix_spawnattr_setsigmask(attributes, &none);
  if (!status)
    // A process group of its own: Ctrl-C on the terminal is for the host to answer.
    status = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  if (!status) status = posix_spawnattr_setpgroup(attributes, 0);
  return status;
}

static int spawn(pid_t *process, const char *path, int theirs, int error_descriptor) {
  posix_spawn_file_actions_t actions;
  int status = posix_spawn_file_actions_init(&actions);
  if (status) return status;
  posix_spawnattr_t attributes;
  status = posix_spawnattr_init(&attributes);
  if (status) {
    posix_spawn_file_actions_destroy(&actions);
    return status;
  }
  status = add_actions(&actions, theirs, error_descriptor);
  if (!status) status = set_attributes(&attributes);
  if (!status) {
    char *const arguments[] = {(char *)"fetchrun-worker", NULL};
    char *const environment[] = {(char *)"SWIFT_BACKTRACE=enable=no", NULL};
    status = posix_spawn(process, path, &actions, &attributes, arguments, environment);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return status;
}

// dup2 onto itself keeps close-on-exec, so the child's end must not be descriptor 3 already.
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
  int status = spawn(&result.process, path, theirs, error_descriptor);
  close(theirs);
  if (status) {
    close(pair[0]);
    result.process = -status;
    return result;
  }
  result.descriptor = pair[0];
  return result;
}

static int add_command_actions(posix_spawn_file_actions_t *actions, int output) {
  int status = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
  if (!status) status = posix_spawn_file_actions_adddup2(actions, output, 1);
  if (!status) status = posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
  if (!status) status = posix_spawn_file_actions_addclosefrom_np(actions, 3);
  return status;
}

static int spawn_in_group(pid_t *process, char *const *arguments, int output) {
  posix_spawn_file_actions_t actions;
  int status = posix_spawn_file_actions_init(&actions);
  if (status) return status;
  posix_spawnattr_t attributes;
  status = posix_spawnattr_init(&attributes);
  if (status) {
    posix_spawn_file_actions_destroy(&actions);
    return status;
  }
  status = add_command_actions(&actions, output);
  if (!status) status = set_attributes(&attributes);
  if (!status)
    status = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return status;
}

spawn_command_result spawn_command(char *const *arguments) {
  spawn_command_result result = {0, -1};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) {
    result.process = -errno;
    return result;
  }
  // The null device is opened as input first, so the output must not be descriptor 0.
  int theirs = move_up(ends[1]);
  int status = theirs < 0 ? errno : spawn_in_group(&result.process, arguments, theirs);
  if (theirs >= 0) close(theirs);
  if (status) {
    close(ends[0]);
    result.process = -status;
    return result;
  }
  result.output = ends[0];
  return result;
}
