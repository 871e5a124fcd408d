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
  // openat2 rejects a mode without O_CREAT, but open(2) ignores such a mode.
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

// Copies one buffer between the given offsets of two files.
static int64_t copy_buffer(int from, int64_t from_at, int to, int64_t to_at, size_t count) {
  char buffer[64 << 10];
  ssize_t got;
  do {
    got = pread(from, buffer, count < sizeof buffer ? count : sizeof buffer, from_at);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return -errno;
  for (ssize_t done = 0; done < got;) {
    ssize_t put = pwrite(to, buffer + done, got - done, to_at + done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return -errno;
    done += put;
  }
  return got;
}

int64_t copy_bytes(int from, int64_t from_at, int to, int64_t to_at, size_t count) {
  off64_t source = from_at, target = to_at;
  for (;;) {
    ssize_t copied = copy_file_range(from, &source, to, &target, count, 0);
    if (copied >= 0) return copied;
    switch (errno) {
    case EINTR: continue;
    // The two file systems cannot copy to each other, one of them cannot copy at all, or a filter
    // refuses the call.
    case EXDEV:
    case EINVAL:
    case ENOSYS:
    case EOPNOTSUPP:
    case EPERM: return copy_buffer(from, from_at, to, to_at, count);
    default: return -errno;
    }
  }
}
