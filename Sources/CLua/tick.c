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

// The interval of checks of a run that uses CPU. A permanent count hook would check more often, but
// any installed hook sends every instruction of the VM down its slow path (measured: twice the
// CPU).
#define TICK_NANOSECONDS 10000000

// A slice of at most this duration, including waits, is charged without reading the CPU clock.
#define UNREAD_NANOSECONDS_MAX 500000

static _Thread_local lua_run *volatile running;
static _Thread_local bool armed;
static _Thread_local uint64_t cpu_read; // the thread's CPU clock, when it was last read

static uint64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Interrupts the thread of the run, and only while that thread uses CPU. lua_sethook may be called
// from a signal handler (manual, section 4.7).
static void on_tick(int signal) {
  (void)signal;
  lua_run *run = running;
  if (run == NULL) return;
  run->alarm = 1;
  lua_sethook(run->current, tick_hook, LUA_MASKCOUNT, 1);
}

// Starts a timer of this thread's own CPU clock. It costs nothing while the thread waits, and it
// interrupts no other thread.
static const char *arm(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
  event.sigev_notify_thread_id = gettid();
  timer_t timer;
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) {
    return "the CPU timer cannot be made";
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

// Returns the thread's CPU clock, and its advance since this thread last read it.
static uint64_t read_cpu(uint64_t *advanced) {
  uint64_t cpu = now(CLOCK_THREAD_CPUTIME_ID);
  *advanced = cpu - cpu_read;
  cpu_read = cpu;
  return cpu;
}

// Charges a slice. The CPU clock is a system call, the monotonic clock is not, so a very short
// slice is charged its elapsed time. A longer one may have waited for the processor; it is charged
// at most the thread's CPU time since the last reading, which was before the slice.
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
  // A tick between the two lines above is lost to this hook, but not to the run.
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
