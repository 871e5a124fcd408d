// Permanently drops the rights that the web process does not need.
#ifndef FETCHRUN_CRESTRICTION_H
#define FETCHRUN_CRESTRICTION_H

#include <stdbool.h>

// Restricts this thread, and all threads that it starts later, to some paths (Landlock). The
// threads may only read the files below `readable`, and read and write the files below `writable`.
// Without `allows_connections`, they cannot open TCP connections. They can never trace processes,
// or send signals to other processes. Also sets no_new_privs. Call this function before other
// threads start. Returns the version of Landlock; 0 if Landlock is not in force.
int restrict_files(
    const char *_Nullable const *_Nullable readable, int readable_count,
    const char *_Nullable const *_Nullable writable, int writable_count, bool allows_connections);

// Installs a filter of system calls in all threads. The threads can then start no program, trace no
// process, and create only unix sockets, and with `allows_connections` also internet sockets. Returns
// 0, or the errno of the kernel's refusal.
int restrict_calls(bool allows_connections);

#endif
