// Waits for many sockets together (epoll), for which Swift's Glibc module has no functions.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CREADY_IN = 1, CREADY_OUT = 2, CREADY_ERROR = 4 };

struct cready_event {
    uint64_t tag;
    int what;
};

// Creates two descriptors: the set of sockets, and the signal that wakes the thread that waits for
// the set. Returns false if no descriptors are left. The signal's events have the tag `signal_tag`.
bool cready_create(int *_Nonnull set, int *_Nonnull signal, uint64_t signal_tag);
// Watches a socket for CREADY_IN, CREADY_OUT or both. For a watched socket, changes the events for
// which it is watched.
bool cready_watch(int set, int socket, int what, uint64_t tag);
void cready_forget(int set, int socket);
// Waits for events, for at most `milliseconds` (-1 for no limit). Returns the number of events.
int cready_wait(int set, struct cready_event *_Nonnull events, int count, int milliseconds);
// Wakes the thread that waits for the set. Any thread may call it.
void cready_signal(int signal);
void cready_take_signal(int signal);
