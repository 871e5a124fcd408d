// Permanently drops every right that a worker process does not need. Called once, after all lazy
// initialization and before any plugin text is read.
#ifndef FETCHRUN_CLOCKDOWN_H
#define FETCHRUN_CLOCKDOWN_H

#include <stdbool.h>

typedef struct {
  bool seccomp;
  int landlock_abi; // 0: not in force
  bool no_new_privileges;
  bool resource_limits;
  int seccomp_problem; // the errno of a filter that was refused; 0: none was
} lockdown_report;

// Prepares the process: it ends with its parent thread, is unreadable for other processes, and has
// no descriptors but 0, 1, 2 and `descriptor`, which becomes non-blocking. Returns 0 or an errno.
int lockdown_prepare(int descriptor);

// Applies the kernel's restrictions from the weakest to the strongest, and reports those in force.
// A refused step does not stop the next ones (some containers refuse seccomp or Landlock).
lockdown_report lockdown_apply(void);

#endif
