// Starts a program that reports its own id before it begins.
#ifndef FETCHRUN_CSPAWN_REPORTED_H
#define FETCHRUN_CSPAWN_REPORTED_H

#include <sys/types.h>

typedef struct {
  int input, output;   // above 2; output is also the standard error
  int report;          // above 2; receives the program's id and a line feed
  pid_t group;         // the existing process group that the program joins
} reported_streams;

// Starts a program like posix_spawnp, with default signals and no other descriptors. Returns 0, or
// the errno of the failure. After a failure, the leader of the group is killed.
int spawn_reported(
    pid_t *process, reported_streams given, char *const *arguments, char *const *environment);

#endif
