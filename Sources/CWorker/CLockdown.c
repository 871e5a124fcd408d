#define _GNU_SOURCE
#include "CLockdown.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the system call filter supports only x86_64 and aarch64"
#endif

// Constants that Debian 12's headers lack. The numbers are part of the kernel's ABI.
#define LANDLOCK_NET_BIND_TCP (UINT64_C(1) << 0)
#define LANDLOCK_NET_CONNECT_TCP (UINT64_C(1) << 1)
#define LANDLOCK_ALL_SCOPES UINT64_C(3)

enum { descriptors_max = 8 };

// Makes the kernel end this process first when memory is short, so that a worker that takes memory
// does not end the host. It must precede PR_SET_DUMPABLE, after which only root may write the file.
// A refusal is harmless.
static void offer_as_victim(void) {
  static const char highest_score[] = "1000";
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, highest_score, sizeof highest_score - 1) < 0) errno = 0;
  close(file);
}

int lockdown_prepare(int descriptor) {
  offer_as_victim();
  // Kills the worker when its parent thread ends. In the host, this thread runs longer than its
  // workers. A worker normally ends when its connection is closed, but not if it is stuck in a
  // computation.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL)) return errno;
  if (prctl(PR_SET_DUMPABLE, 0)) return errno;
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)) return errno;
  if (syscall(SYS_close_range, descriptor + 1, ~0U, 0) && errno != ENOSYS) return errno;
  return 0;
}

// The limit of the address space, in addition to the limits of single runs. 256 runs may have 64
// MiB each. If all runs together exceed this limit, allocations of single runs fail.
static const rlim_t address_space_max = (rlim_t)24 << 30;

static bool bound(int resource, rlim_t value) {
  struct rlimit limit = {value, value};
  return setrlimit(resource, &limit) == 0;
}

static bool bound_resources(void) {
  bool done = bound(RLIMIT_AS, address_space_max);
  done &= bound(RLIMIT_NOFILE, descriptors_max);
  done &= bound(RLIMIT_FSIZE, 0);
  done &= bound(RLIMIT_CORE, 0);
  done &= bound(RLIMIT_NPROC, 0);
  done &= bound(RLIMIT_MEMLOCK, 0);
  return done;
}

// Applies an empty Landlock rule set, which forbids everything that Landlock controls. The process
// can then open, execute, create or remove no file, use no TCP port, and send no signal to other
// processes.
static int apply_landlock(void) {
  int abi = (int)syscall(
      SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi < 1) return 0;
  struct {
    uint64_t handled_access_fs, handled_access_net, scoped;
  } attributes = {0, 0, 0};
  size_t size = sizeof(uint64_t);
  attributes.handled_access_fs = (UINT64_C(1) << 13) - 1;
  if (abi >= 2) attributes.handled_access_fs |= UINT64_C(1) << 13;
  if (abi >= 3) attributes.handled_access_fs |= UINT64_C(1) << 14;
  if (abi >= 5) attributes.handled_access_fs |= UINT64_C(1) << 15;
  if (abi >= 4) {
    attributes.handled_access_net = LANDLOCK_NET_BIND_TCP | LANDLOCK_NET_CONNECT_TCP;
    size = 2 * sizeof(uint64_t);
  }
  if (abi >= 6) {
    attributes.scoped = LANDLOCK_ALL_SCOPES;
    size = 3 * sizeof(uint64_t);
  }
  int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
  if (rules < 0) return 0;
  bool done = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return done ? abi : 0;
}

#define ALLOW(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define KILL(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define FIELD(name) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))

// Allows a call only without PROT_EXEC, so that writable memory cannot become executable.
#define ALLOW_WITHOUT_EXEC(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4), \
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static const struct sock_filter filter[] = {
    FIELD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    FIELD(nr),
#if defined(__x86_64__)
    // Refuses the numbers of x32, through which the same kernel functions can be called.
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    ALLOW(poll),
#endif
    // The calls that a worker makes according to strace, the most frequent ones first.
    ALLOW(read),
    ALLOW(write),
    ALLOW(ppoll),
    ALLOW(clock_gettime),
    ALLOW(rt_sigreturn),
    ALLOW(brk),
    ALLOW_WITHOUT_EXEC(mmap),
    ALLOW_WITHOUT_EXEC(mprotect),
    ALLOW(munmap),
    ALLOW(mremap),
    ALLOW(madvise),
    ALLOW(futex),
    ALLOW(getrandom),
    ALLOW(rt_sigprocmask),
    ALLOW(rt_sigaction),
    ALLOW(sigaltstack),
    ALLOW(restart_syscall),
    ALLOW(close),
    ALLOW(exit),
    ALLOW(exit_group),
    ALLOW(gettid),
    ALLOW(getpid),
    ALLOW(setitimer),
    // Calls that only an exploit makes kill the worker. Calls that are not listed only fail, so
    // that a new call in an update of libc or of the Swift runtime disables a feature but does not
    // end the worker.
    KILL(execve),
    KILL(execveat),
    KILL(ptrace),
    KILL(socket),
    KILL(socketpair),
    KILL(connect),
    KILL(clone),
    KILL(clone3),
#if defined(__x86_64__)
    KILL(fork),
    KILL(vfork),
#endif
    KILL(process_vm_readv),
    KILL(process_vm_writev),
    KILL(open_by_handle_at),
    KILL(io_uring_setup),
    KILL(bpf),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
};

static bool apply_seccomp(void) {
  const struct sock_fprog program = {
      .len = sizeof filter / sizeof filter[0], .filter = (struct sock_filter *)filter};
  return syscall(
             SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

// Changes the user from root to nobody. If the host runs as root, this change protects root's files
// from the worker by their permissions, too.
static void drop_root(void) {
  if (geteuid() != 0) return;
  const unsigned nobody = 65534;
  if (setgroups(0, NULL) == 0 && setresgid(nobody, nobody, nobody) == 0) {
    if (setresuid(nobody, nobody, nobody)) _exit(71);
  }
}

lockdown_report lockdown_apply(void) {
  lockdown_report report = {0};
  drop_root();
  // Sets both properties again, because changing the user clears them.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  report.no_new_privileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  report.landlock_abi = apply_landlock();
  report.resource_limits = bound_resources();
  errno = EPERM;
  report.seccomp = report.no_new_privileges && apply_seccomp();
  if (!report.seccomp) report.seccomp_problem = errno;
  return report;
}
