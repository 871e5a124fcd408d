// What the host asks of the system that Swift's Glibc module does not have: wake-ups, times and
// signals as descriptors to wait on, memory, and keys. Signals also because a handler of them may call
// next to nothing, and nothing of Swift's runtime.
#ifndef FETCHRUN_CEVENTS_H
#define FETCHRUN_CEVENTS_H

#include <stddef.h>
#include <stdint.h>

// A counter that one thread waits on and others add to (eventfd), non-blocking; -1 on failure.
int wake_descriptor(void);

// Readable from a time on, by CLOCK_BOOTTIME, which goes on while the machine sleeps; reading waits
// for it. -1 on failure.
int timer_descriptor(void);

// Nanoseconds of that clock; in place of what was set before. 0: never.
void timer_set(int timer, uint64_t nanoseconds);

// Nanoseconds of that clock now.
uint64_t timer_now(void);

// Readable each time the clock of the day is set, or the machine has slept; -1 on failure.
int clock_watch_descriptor(void);

// Takes what can be read from such a descriptor, and waits for the next time.
void clock_watch_again(int timer);

// From here on each of these signals is a byte, its number, to be read from the descriptor that is
// returned, in place of what it does by itself; reading waits for one. -1, with errno, on failure.
// To be called once in a process.
int signal_descriptor(const int *_Nonnull numbers, int count);

// Why the kernel would not install a system call filter with which a worker confines itself, as an
// errno; 0 where it would. Installs none.
int system_filter_problem(void);

// The version of Landlock that the kernel has; 0: none.
int landlock_version(void);

// From here on the memory of this process, with its secrets, is in no core dump, and no other process
// of the same user can read it. The limit of core dumps is the soft one: programs that it starts may
// raise theirs.
void memory_keep_private(void);

// Gives back to the system what was allocated and is not any more.
void memory_trim(void);

// Lets threads share so many heaps, from here on.
void memory_share(int count);

// Reads the key of type `user` with that description, looked for in the keyrings (keyrings(7)) of the
// thread, the process and the session, as request_key(2) does. Returns its length, which may be more
// than the capacity (then the bytes are not all there), or the negated errno.
long keyring_read(const char *_Nonnull description, uint8_t *_Nonnull bytes, size_t capacity);

#endif
