// Waiting for many sockets at once (epoll), which Swift's Glibc module does not have.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CREADY_IN = 1, CREADY_OUT = 2, CREADY_ERROR = 4 };

struct cready_event {
    uint64_t tag;
    int what;
};

// Two descriptors, of the set and of the signal that wakes its waiter; false when there are none
// left. The signal's events carry `signal_tag`.
bool cready_create(int *_Nonnull set, int *_Nonnull signal, uint64_t signal_tag);
// Watches a socket for CREADY_IN and CREADY_OUT, newly or with a changed wish.
bool cready_watch(int set, int socket, int what, uint64_t tag);
void cready_forget(int set, int socket);
// Waits at most that long (-1: for ever); how many events came.
int cready_wait(int set, struct cready_event *_Nonnull events, int count, int milliseconds);
// From any thread.
void cready_signal(int signal);
void cready_take_signal(int signal);
