// Opening a path that cannot leave its folder (openat2, Linux 5.6), and flags of open(2) that
// Swift's Glibc module does not have.
#ifndef FETCHRUN_CFILES_H
#define FETCHRUN_CFILES_H

#include <stddef.h>
#include <stdint.h>

// Opens the relative `path` beneath the descriptor `folder`: no part of it may be a symbolic link
// or lead out. The descriptor, or the negated errno; -ENOSYS or -EPERM where the kernel has no such
// call or a container's filter refuses it. `flags` as for open(2), close-on-exec is added.
int open_beneath(int folder, const char *_Nonnull path, int flags, unsigned mode);

// Copies up to `count` bytes between two open files from their given places on, within the kernel
// where the file systems can. How many were copied, 0 at the end, or the negated errno.
int64_t copy_bytes(int from, int64_t from_at, int to, int64_t to_at, size_t count);

// O_PATH: to walk through a folder, the right to list it is not needed.
int open_path_only(void);

#endif
