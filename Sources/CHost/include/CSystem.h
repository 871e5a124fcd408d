// System services that Swift's Glibc module lacks: descriptors for wake-ups, timers and signals,
// settings of memory, and keys of the kernel. The signal handler must be in C, because it may not
// call Swift's runtime. CRestriction.h has the calls that take rights away.
#ifndef FETCHRUN_CEVENTS_H
#define FETCHRUN_CEVENTS_H

#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns a non-blocking counter (eventfd) for which one thread waits and to which other threads
// add; -1 on failure.
int wake_descriptor(void);

// Returns the descriptor of a timer, or -1 on failure. Reading the descriptor waits until the
// timer's time. The timer uses CLOCK_BOOTTIME, which includes the time while the machine is
// suspended.
int timer_descriptor(void);

// Sets the timer to a time of CLOCK_BOOTTIME in nanoseconds, in place of the timer's previous time.
// 0 stops the timer.
void timer_set(int timer, uint64_t nanoseconds);

// Returns the current time of CLOCK_BOOTTIME in nanoseconds.
uint64_t timer_now(void);

// Waits until the semaphore can be lowered, for at most the given time. Returns false if the time
// has passed.
bool semaphore_wait(sem_t *_Nonnull semaphore, uint64_t nanoseconds);

// Returns a descriptor that becomes readable each time the wall clock is set or the machine has
// been suspended; -1 on failure.
int clock_watch_descriptor(void);

// Reads the descriptor from clock_watch_descriptor and sets it up for the next change.
void clock_watch_again(int timer);

// Returns a descriptor from which the number of each arriving signal can be read as one byte.
// Reading waits for a signal. The default actions of the signals no longer happen. Returns -1, with
// errno set, on failure. Call it once in a process.
int signal_descriptor(const int *_Nonnull numbers, int count);

// Returns the errno with which the kernel would refuse a worker's system call filter; 0 if the
// kernel would accept the filter. Does not install a filter.
int system_filter_problem(void);

// Returns the version of the kernel's Landlock; 0 if the kernel has none.
int landlock_version(void);

// Keeps the memory of this process, which contains secrets, out of core dumps and unreadable for
// other processes of the same user. Only the soft limit of core dumps is changed, so programs that
// this process starts can raise this limit again.
void memory_keep_private(void);

// Returns freed memory to the system.
void memory_trim(void);

// Sets the maximum number of heaps, which all threads then share, and their initial size.
void memory_share(int count);

// Reads the key of type `user` with the given description from the keyrings (keyrings(7)) of the
// thread, the process and the session, like request_key(2). Returns the length of the key in bytes,
// or the negated errno. A length above the capacity means that the bytes are incomplete.
long keyring_read(const char *_Nonnull description, uint8_t *_Nonnull bytes, size_t capacity);

#endif
