// Waits for many sockets together (epoll), which Swift's Glibc module cannot.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CREADY_IN = 1, CREADY_OUT = 2, CREADY_ERROR = 4 };

struct cready_event {
    uint64_t tag;
    int what;
};

// Creates two descriptors: the set, and the signal that wakes its waiter. Returns false if none are
// left. The signal's events carry `signal_tag`.
bool cready_create(int *_Nonnull set, int *_Nonnull signal, uint64_t signal_tag);
// Watches a socket for CREADY_IN and CREADY_OUT, or changes what it is watched for.
bool cready_watch(int set, int socket, int what, uint64_t tag);
void cready_forget(int set, int socket);
// Waits at most that long (-1: for ever); returns the number of events.
int cready_wait(int set, struct cready_event *_Nonnull events, int count, int milliseconds);
// Wakes the waiter, from any thread.
void cready_signal(int signal);
void cready_take_signal(int signal);
