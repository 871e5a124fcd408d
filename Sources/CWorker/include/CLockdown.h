// Permanently drops every right that a worker process does not need. The worker calls these
// functions once, after all lazy initialization and before it reads any plugin text.
#ifndef FETCHRUN_CLOCKDOWN_H
#define FETCHRUN_CLOCKDOWN_H

#include <stdbool.h>

typedef struct {
  bool seccomp;
  int landlock_abi; // the version of Landlock; 0 if Landlock is not in force
  bool no_new_privileges;
  bool resource_limits;
  int seccomp_problem; // the errno if the filter was refused; otherwise 0
} lockdown_report;

// Prepares the process. It will be killed when its parent thread ends, and as the first process
// when memory is short. Other processes cannot read its memory. Makes `descriptor` non-blocking,
// and closes all descriptors above it. Returns 0 or an errno.
int lockdown_prepare(int descriptor);

// Applies the kernel's restrictions from the weakest to the strongest, and reports the restrictions
// in force. A refused step does not prevent the next steps, because some containers refuse seccomp
// or Landlock.
lockdown_report lockdown_apply(void);

#endif
