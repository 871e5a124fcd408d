#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { nanoseconds_per_second = 1000000000 };

int wake_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int timer_descriptor(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC); }

void timer_set(int timer, uint64_t nanoseconds) {
  struct itimerspec time = {0};
  time.it_value.tv_sec = (time_t)(nanoseconds / nanoseconds_per_second);
  time.it_value.tv_nsec = (long)(nanoseconds % nanoseconds_per_second);
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, NULL);
}

bool semaphore_wait(sem_t *semaphore, uint64_t nanoseconds) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += (time_t)(nanoseconds / nanoseconds_per_second);
  end.tv_nsec += (long)(nanoseconds % nanoseconds_per_second);
  end.tv_sec += end.tv_nsec / nanoseconds_per_second;
  end.tv_nsec %= nanoseconds_per_second;
  while (sem_clockwait(semaphore, CLOCK_MONOTONIC, &end) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

// Sets the timer to a time in the distant future, so that only a change of the clock ends the wait.
static int watch_clock(int timer) {
  struct itimerspec time = {.it_value = {.tv_sec = 1LL << 33}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, NULL);
}

int clock_watch_descriptor(void) {
  int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer < 0 || watch_clock(timer) == 0) return timer;
  close(timer);
  return -1;
}

void clock_watch_again(int timer) {
  uint64_t count;
  while (read(timer, &count, sizeof count) > 0) {}
  watch_clock(timer);
}

uint64_t timer_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return (uint64_t)time.tv_sec * nanoseconds_per_second + (uint64_t)time.tv_nsec;
}

static int ends[2] = {-1, -1};

static void note(int number) {
  int code = errno;
  unsigned char byte = (unsigned char)number;
  // If the pipe is full, the signal is lost. This does no harm, because the pipe then already
  // contains many signals.
  ssize_t written = write(ends[1], &byte, 1);
  (void)written;
  errno = code;
}

int signal_descriptor(const int *numbers, int count) {
  if (pipe2(ends, O_CLOEXEC)) return -1;
  // The reading end blocks, but the handler, which writes, must not.
  if (fcntl(ends[1], F_SETFL, O_NONBLOCK)) return -1;
  struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < count; i++)
    if (sigaction(numbers[i], &action, NULL)) return -1;
  return ends[0];
}

int system_filter_problem(void) {
  // Calls seccomp without a filter. A kernel that would accept a filter then fails with EFAULT.
  long status = syscall(
      SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, NULL);
  return status < 0 && errno == EFAULT ? 0 : status < 0 ? errno : EINVAL;
}

int landlock_version(void) {
  long version = syscall(
      SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : (int)version;
}

void memory_keep_private(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_CORE, &limit) == 0) {
    limit.rlim_cur = 0;
    setrlimit(RLIMIT_CORE, &limit);
  }
  prctl(PR_SET_DUMPABLE, 0);
}

void memory_trim(void) { malloc_trim(0); }

// All heaps but the first grow page by page, each time with a system call during which no thread can
// map memory. With M_TOP_PAD they are large from the start; memory that is not used takes no room.
// Then the C library no longer adapts the two thresholds, so they are set, too.
void memory_share(int count) {
  const int initial_bytes = 4 << 20;
  mallopt(M_ARENA_MAX, count);
  mallopt(M_TOP_PAD, initial_bytes);
  mallopt(M_MMAP_THRESHOLD, initial_bytes);
  mallopt(M_TRIM_THRESHOLD, 2 * initial_bytes);
}
