// Gives up, for good, everything a worker process does not need. Called once, after everything
// lazy has been warmed up and before any plugin text is read.
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

// Makes the process end with its parent thread, unreadable for other processes, and with no
// descriptors but 0, 1, 2 and `descriptor`, which becomes non-blocking. Returns 0 or an errno.
int lockdown_prepare(int descriptor);

// Applies what the kernel gives, from the weakest to the strongest, and says what is in force.
// Each step goes on where another is refused (some containers refuse seccomp or Landlock).
lockdown_report lockdown_apply(void);

#endif
