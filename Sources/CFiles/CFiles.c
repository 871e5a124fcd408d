#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

int open_beneath(int folder, const char *path, int flags, unsigned mode) {
#ifdef SYS_openat2
  // openat2 refuses a mode that open(2) would ignore.
  struct open_how how = {
      .flags = (uint64_t)(unsigned)(flags | O_CLOEXEC),
      .mode = flags & O_CREAT ? mode : 0,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  for (;;) {
    long descriptor = syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (descriptor >= 0) return (int)descriptor;
    if (errno != EINTR) return -errno;
  }
#else
  return -ENOSYS;
#endif
}

int open_path_only(void) { return O_PATH; }
