#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
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

// Whether syncfs writes the data and metadata of all files, waits for the device, and reports a
// write that the device has failed. FUSE does not tell its server, and overlayfs does not report
// failures of the file system below it (fs/sync.c, fs/fuse/inode.c and fs/overlayfs/super.c of Linux
// 6.1). A write that ext4 cannot begin, because its own structures are damaged, is reported only to
// the call that began it: neither syncfs nor an fsync after the kernel's own write reports it.
static bool has_safe_syncfs(int descriptor) {
  struct statfs facts;
  if (fstatfs(descriptor, &facts) != 0) return false;
  switch ((uint32_t)facts.f_type) {
  case EXT4_SUPER_MAGIC:
  case XFS_SUPER_MAGIC:
  case BTRFS_SUPER_MAGIC:
  case TMPFS_MAGIC: return true;
  default: return false;
  }
}

// Returns the kilobytes of a line of /proc/meminfo, or LONG_MAX.
static long kilobytes(const char *lines, const char *name) {
  const char *line = strstr(lines, name);
  return line ? strtol(line + strlen(name), NULL, 10) : LONG_MAX;
}

// The maximum of unwritten memory in kilobytes with which syncfs is called. Most disks write so much
// in about a second.
static const long unwritten_max = 128 << 10;

// Whether all programs together have little memory that is not written to a disk yet.
static bool is_little_unwritten(void) {
  char lines[4096];
  int descriptor = open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  ssize_t count = read(descriptor, lines, sizeof lines - 1);
  close(descriptor);
  if (count < 0) return false;
  lines[count] = 0;
  long dirty = kilobytes(lines, "\nDirty:");
  return dirty <= unwritten_max && kilobytes(lines, "\nWriteback:") <= unwritten_max - dirty;
}

bool sync_together(const int *descriptors, int *faults, size_t count) {
  if (count == 0 || !has_safe_syncfs(descriptors[0]) || !is_little_unwritten()) return false;
  // A descriptor of this group reports each failure since it was opened, even if another descriptor
  // has reported it already. It does not take away the report that a file's own descriptor gives.
  if (syncfs(descriptors[0]) != 0) return false;
  for (size_t i = 0; i < count; i++) {
    int status = sync_file_range(descriptors[i], 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE);
    faults[i] = status == 0 ? 0 : errno;
  }
  return true;
}
