#include "CDiskFault.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long left;

void disk_fault_fail_sync(long number) { atomic_store(&left, number); }

static long sync_by(long call, int descriptor) {
  if (atomic_load(&left) > 0 && atomic_fetch_sub(&left, 1) == 1) {
    errno = EIO;
    return -1;
  }
  return syscall(call, descriptor);
}

// These replace the functions of the C library, for other libraries of the process too.
int fdatasync(int descriptor) { return (int)sync_by(SYS_fdatasync, descriptor); }
int fsync(int descriptor) { return (int)sync_by(SYS_fsync, descriptor); }
