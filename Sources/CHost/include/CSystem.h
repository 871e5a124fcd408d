// System services that Swift's Glibc module lacks: wake-ups, times and signals as descriptors to
// wait on, memory, and keys. Signals are here also because their handler may call almost nothing,
// and nothing of Swift's runtime.
#ifndef FETCHRUN_CEVENTS_H
#define FETCHRUN_CEVENTS_H

#include <stddef.h>
#include <stdint.h>

// Returns a counter that one thread waits on and others add to (eventfd), non-blocking; -1 on
// failure.
int wake_descriptor(void);

// Returns a descriptor that is readable from a time on, by CLOCK_BOOTTIME, which includes the
// machine's sleep; reading waits for it. Returns -1 on failure.
int timer_descriptor(void);

// Sets the timer to nanoseconds of that clock, in place of its previous time. 0: never.
void timer_set(int timer, uint64_t nanoseconds);

// Returns that clock's time now, in nanoseconds.
uint64_t timer_now(void);

// Returns a descriptor that is readable each time the clock of the day is set, or the machine has
// slept; -1 on failure.
int clock_watch_descriptor(void);

// Reads such a descriptor, and waits for the next time.
void clock_watch_again(int timer);

// Turns each of these signals into a byte, its number, to be read from the returned descriptor;
// their default actions no longer happen. Reading waits for a signal. Returns -1, with errno, on
// failure. Call it once in a process.
int signal_descriptor(const int *_Nonnull numbers, int count);

// Returns why the kernel would refuse a worker's system call filter, as an errno; 0 if it would
// not. Installs none.
int system_filter_problem(void);

// Returns the kernel's version of Landlock; 0 for none.
int landlock_version(void);

// Keeps the memory of this process, with its secrets, out of core dumps and away from other
// processes of the same user. It sets the soft limit of core dumps: programs that it starts may
// raise theirs.
void memory_keep_private(void);

// Returns freed memory to the system.
void memory_trim(void);

// Sets the number of heaps that threads share from here on.
void memory_share(int count);

// Reads the key of type `user` with that description from the keyrings (keyrings(7)) of the thread,
// the process and the session, like request_key(2). Returns its length, or the negated errno. A
// length above the capacity means that the bytes are incomplete.
long keyring_read(const char *_Nonnull description, uint8_t *_Nonnull bytes, size_t capacity);

#endif
