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

// In place of the C library's, also for the libraries of the process.
int fdatasync(int descriptor) { return (int)sync_by(SYS_fdatasync, descriptor); }
int fsync(int descriptor) { return (int)sync_by(SYS_fsync, descriptor); }
