#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

long keyring_read(const char *description, uint8_t *bytes, size_t capacity) {
  long key = syscall(SYS_request_key, "user", description, NULL, 0);
  if (key < 0) return -errno;
  long count = syscall(SYS_keyctl, KEYCTL_READ, key, bytes, capacity);
  return count < 0 ? -errno : count;
}
