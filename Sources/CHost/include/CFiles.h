// Opens paths that cannot leave their folder (openat2, Linux 5.6), and provides flags of open(2)
// that Swift's Glibc module does not have.
#ifndef FETCHRUN_CFILES_H
#define FETCHRUN_CFILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Opens the relative `path` beneath the descriptor `folder`. No part of the path may be a symbolic
// link or lead out of the folder. Returns the descriptor or the negated errno. The errno is ENOSYS
// or EPERM if the kernel lacks openat2 or a container's filter refuses openat2. `flags` are the
// flags of open(2); close-on-exec is added.
int open_beneath(int folder, const char *_Nonnull path, int flags, unsigned mode);

// Copies up to `count` bytes between the given offsets of two open files, within the kernel if the
// file systems support this. Returns the number of bytes copied, 0 at the end of the source, or the
// negated errno.
int64_t copy_bytes(int from, int64_t from_at, int to, int64_t to_at, size_t count);

// Makes `count` open files of one file system durable with one call of syncfs(2), which writes all
// unwritten data of that file system. Sets `faults` to the errno of each file; 0 for a durable file.
//
// Returns false if it did nothing or failed, so that fsync must be called for each file: on a file
// system whose syncfs is not known to be as safe as fsync, or while programs have much unwritten.
bool sync_together(const int *_Nonnull descriptors, int *_Nonnull faults, size_t count);

// Returns O_PATH, which opens a folder only as a step of a path, even without the right to list the
// folder.
int open_path_only(void);

#endif
