// Opening a path that cannot leave its folder (openat2, Linux 5.6), and flags of open(2) that
// Swift's Glibc module does not have.
#ifndef FETCHRUN_CFILES_H
#define FETCHRUN_CFILES_H

// Opens the relative `path` beneath the descriptor `folder`: no part of it may be a symbolic link
// or lead out. The descriptor, or the negated errno; -ENOSYS or -EPERM where the kernel has no such
// call or a container's filter refuses it. `flags` as for open(2), close-on-exec is added.
int open_beneath(int folder, const char *_Nonnull path, int flags, unsigned mode);

// O_PATH: to walk through a folder, the right to list it is not needed.
int open_path_only(void);

#endif
