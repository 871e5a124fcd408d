#define _GNU_SOURCE
#include "CSpawnReported.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void set_action(int number, void (*action)(int)) {
  struct sigaction wanted = {.sa_handler = action};
  sigaction(number, &wanted, NULL);
}

// Writes the id of the calling process. A reader that has ended causes no signal later: ignoring
// a signal also removes it if it is pending (sigaction(2)).
static void report(int descriptor) {
  char digits[24];
  char *next = digits + sizeof digits;
  *--next = '\n';
  for (pid_t rest = getpid(); rest > 0; rest /= 10) *--next = (char)('0' + rest % 10);
  if (write(descriptor, next, (size_t)(digits + sizeof digits - next)) < 0)
    set_action(SIGPIPE, SIG_IGN);
  set_action(SIGPIPE, SIG_DFL);
}

// Whether the program may be in a later folder of PATH: it is missing here, or the file system of
// the folder does not answer.
static int may_be_elsewhere(int code) {
  return code == ENOENT || code == ENOTDIR || code == ESTALE || code == ENODEV ||
      code == ETIMEDOUT;
}

// Executes a program by its path, or by its name in PATH, as posix_spawnp does. Unlike execvpe, it
// gives no file of another format to a shell. Returns the errno of the failure.
static int execute(const char *name, char *const *arguments, char *const *environment) {
  if (strchr(name, '/')) {
    execve(name, arguments, environment);
    return errno;
  }
  const char *folder = getenv("PATH");
  if (!folder) folder = "/bin:/usr/bin";
  int failure = ENOENT;
  char path[PATH_MAX];
  size_t name_bytes = strlen(name) + 1;
  for (const char *end;; folder = end + 1) {
    end = strchrnul(folder, ':');
    size_t bytes = (size_t)(end - folder);
    if (bytes + 1 + name_bytes <= sizeof path) {
      memcpy(path, folder, bytes);
      // An empty entry is the working folder.
      if (bytes) path[bytes++] = '/';
      memcpy(path + bytes, name, name_bytes);
      execve(path, arguments, environment);
      if (errno == EACCES) failure = EACCES;
      else if (!may_be_elsewhere(errno)) return errno;
    }
    if (!*end) return failure;
  }
}

// Makes the child of vfork the program. Returns the errno of a failure, and otherwise does not
// return. Until then, the child uses the memory of this process. Therefore it takes no lock and no
// memory, and no signal handler of this process may run in it.
static int become(reported_streams given, char *const *arguments, char *const *environment) {
  for (int number = 1; number < NSIG; number++) set_action(number, SIG_DFL);
  if (setpgid(0, given.group)) return errno;
  if (dup2(given.input, 0) < 0 || dup2(given.output, 1) < 0 || dup2(given.output, 2) < 0)
    return errno;
  report(given.report);
  closefrom(3);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  return execute(arguments[0], arguments, environment);
}

// posix_spawn has no action that writes. If the host wrote the id after posix_spawn has returned, a
// kill of the host in between would leave the program running.
int spawn_reported(
    pid_t *process, reported_streams given, char *const *arguments, char *const *environment) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  volatile int failure = 0;
  // This thread waits until the child has become the program or has ended.
  pid_t child = vfork();
  if (child == 0) {
    failure = become(given, arguments, environment);
    _exit(127);
  }
  int status = child < 0 ? errno : failure;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (child < 0) return status;
  if (status) {
    // The guard has the child's id, which another process may get after the call of waitpid.
    kill(given.group, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    return status;
  }
  *process = child;
  return 0;
}
