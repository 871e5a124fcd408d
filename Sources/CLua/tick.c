// _GNU_SOURCE: SIGEV_THREAD_ID, gettid.
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "state.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

// The interval of checks, in CPU time of the run. A permanent count hook could check more often.
// But with any installed hook, the VM executes every instruction on its slow path, which takes
// twice the CPU time (measured).
#define TICK_NANOSECONDS 10000000

// The maximum duration of a slice, including waits, that is charged without reading the CPU clock.
#define UNREAD_NANOSECONDS_MAX 500000

static _Thread_local lua_run *volatile running;
static _Thread_local bool armed;
static _Thread_local uint64_t cpu_read; // the value of the thread's CPU clock when it was last read

static uint64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Sets a hook that interrupts the run. The signal is delivered to the run's thread, and only while
// that thread uses CPU. lua_sethook may be called from a signal handler (manual, section 4.7).
static void on_tick(int signal) {
  (void)signal;
  lua_run *run = running;
  if (run == NULL) return;
  run->alarm = 1;
  lua_sethook(run->current, tick_hook, LUA_MASKCOUNT, 1);
}

// Starts a timer of this thread's CPU clock. The timer costs nothing while the thread waits, and
// interrupts no other thread.
static const char *arm(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
  event.sigev_notify_thread_id = gettid();
  timer_t timer;
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) {
    return "the CPU timer cannot be created";
  }
  struct itimerspec period = {.it_interval.tv_nsec = TICK_NANOSECONDS,
                              .it_value.tv_nsec = TICK_NANOSECONDS};
  if (timer_settime(timer, 0, &period, NULL) != 0) return "the CPU timer cannot be set";
  armed = true;
  return NULL;
}

const char *tick_prepare(void) {
  struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGPROF, &action, NULL) != 0) return "SIGPROF cannot be handled";
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPROF);
  if (sigprocmask(SIG_UNBLOCK, &signals, NULL) != 0) return "SIGPROF cannot be unblocked";
  return armed ? NULL : arm();
}

bool tick_begin(lua_run *run) {
  if (!armed && arm() != NULL) return false;
  run->alarm = 0;
  run->slice_measured = false;
  run->slice_nanoseconds = 0;
  run->slice_began_at = now(CLOCK_MONOTONIC);
  run->slices++;
  tick_switch(run, run->body);
  running = run;
  return true;
}

// Returns the value of the thread's CPU clock. Sets `advanced` to the difference from the previous
// reading.
static uint64_t read_cpu(uint64_t *advanced) {
  uint64_t cpu = now(CLOCK_THREAD_CPUTIME_ID);
  *advanced = cpu - cpu_read;
  cpu_read = cpu;
  return cpu;
}

// Charges the CPU time of a slice to the run. Reading the CPU clock needs a system call, but
// reading the monotonic clock does not. A very short slice is therefore charged its elapsed time. A
// longer slice may have waited for the processor. It is charged at most the thread's CPU time since
// the last reading, which was before the slice.
static void measure(lua_run *run, bool ticked) {
  uint64_t advanced;
  if (run->slice_measured) {
    uint64_t cpu = read_cpu(&advanced);
    run->slice_nanoseconds += cpu - run->slice_cpu_mark;
    run->slice_cpu_mark = cpu;
    return;
  }
  uint64_t spent = now(CLOCK_MONOTONIC) - run->slice_began_at;
  if (ticked || spent > UNREAD_NANOSECONDS_MAX) {
    run->slice_cpu_mark = read_cpu(&advanced);
    run->slice_measured = true;
    if (spent > advanced) spent = advanced;
  }
  run->slice_nanoseconds = spent;
}

void tick_end(lua_run *run) {
  running = NULL;
  measure(run, false);
  run->cpu_nanoseconds += run->slice_nanoseconds;
  run->slice_nanoseconds = 0;
}

static void answer_alarm(lua_run *run) {
  run->alarm = 0;
  measure(run, true);
  if (run->death != LUA_DEATH_NONE) run_escape(run);
  if (run->cpu_nanoseconds + run->slice_nanoseconds >= run->limits.cpu_nanoseconds_max) {
    run_die(run, LUA_DEATH_CPU);
  }
}

static void preempt(lua_run *run, lua_State *L) {
  if (run->unyieldable > 0 || !lua_isyieldable(L)) return;
  run->pending = PENDING_PREEMPT;
  lua_yield(L, 0);
}

void tick_hook(lua_State *L, lua_Debug *activation) {
  (void)activation;
  lua_run *run = run_of(L);
  if (run->alarm) answer_alarm(run);
  if (run->forced_instructions > 0) {
    preempt(run, L);
    return;
  }
  lua_sethook(L, NULL, 0, 0);
  // Restores the hook if a tick occurred after the alarm was handled, because the line above has
  // removed the hook that this tick set.
  if (run->alarm) lua_sethook(L, tick_hook, LUA_MASKCOUNT, 1);
  if (run->slice_nanoseconds >= run->limits.slice_nanoseconds_max) preempt(run, L);
}

void tick_switch(lua_run *run, lua_State *to) {
  run->current = to;
  if (run->forced_instructions > 0) {
    lua_sethook(to, tick_hook, LUA_MASKCOUNT, run->forced_instructions);
  } else if (run->alarm) {
    lua_sethook(to, tick_hook, LUA_MASKCOUNT, 1);
  }
}

void lua_bounded_check(lua_State *L) {
  lua_run *run = run_of(L);
  if (run->alarm) answer_alarm(run);
}
