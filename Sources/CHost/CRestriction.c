#define _GNU_SOURCE
#include "CRestriction.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
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
#define NET_CONNECT_TCP (UINT64_C(1) << 1)
#define ALL_SCOPES UINT64_C(3)
#define FS_REFER (UINT64_C(1) << 13)
#define FS_TRUNCATE (UINT64_C(1) << 14)
#define FS_IOCTL_DEVICE (UINT64_C(1) << 15)

static const uint64_t to_read = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t to_write = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR |
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    FS_TRUNCATE;
// The rights that a Landlock rule for a file may contain. A rule for a folder may contain more.
static const uint64_t of_files =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE;

// Adds a rule that allows `access` below a path. Does nothing if nothing exists at the path.
static void allow(int rules, const char *path, uint64_t access) {
  if (!path) return;
  struct landlock_path_beneath_attr rule = {.allowed_access = access};
  rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
  if (rule.parent_fd < 0) return;
  struct stat status;
  if (fstat(rule.parent_fd, &status) == 0 && !S_ISDIR(status.st_mode))
    rule.allowed_access &= of_files;
  syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(rule.parent_fd);
}

int restrict_files(
    const char *const *readable, int readable_count, const char *const *writable,
    int writable_count, bool allows_connections) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 0;
  int version = (int)syscall(
      SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return 0;
  struct {
    uint64_t handled_access_fs, handled_access_net, scoped;
  } attributes = {(UINT64_C(1) << 13) - 1, 0, 0};
  size_t size = sizeof(uint64_t);
  if (version >= 2) attributes.handled_access_fs |= FS_REFER;
  if (version >= 3) attributes.handled_access_fs |= FS_TRUNCATE;
  if (version >= 5) attributes.handled_access_fs |= FS_IOCTL_DEVICE;
  if (version >= 4) {
    if (!allows_connections) attributes.handled_access_net = NET_CONNECT_TCP;
    size = 2 * sizeof(uint64_t);
  }
  if (version >= 6) {
    attributes.scoped = ALL_SCOPES;
    size = 3 * sizeof(uint64_t);
  }
  int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
  if (rules < 0) return 0;
  const uint64_t known = attributes.handled_access_fs;
  for (int index = 0; index < readable_count; index++)
    allow(rules, readable[index], to_read & known);
  for (int index = 0; index < writable_count; index++)
    allow(rules, writable[index], to_write & known);
  bool done = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return done ? version : 0;
}

#define FIELD(name) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define REFUSE(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
// Allows the call only if its first argument has the bits of `value`.
#define ONLY(call, value) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4), FIELD(args[0]), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, value, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
// Allows the call only if its first argument is one of three values.
#define ONE_OF(call, first, second, third) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 6), FIELD(args[0]), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, first, 2, 0), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, second, 1, 0), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, third, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

// Stand for the families of internet sockets, until `restrict_calls` knows whether they are allowed.
#define FAMILY_4 0xffff0004
#define FAMILY_6 0xffff0006

static const struct sock_filter filter[] = {
    FIELD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    FIELD(nr),
#if defined(__x86_64__)
    // The x32 numbers reach the same kernel functions by another path.
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    REFUSE(fork), REFUSE(vfork),
#endif
    // Refuses clone3, whose flags are in memory and cannot be checked. libc then uses clone, whose
    // flags can be checked.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    REFUSE(execve), REFUSE(execveat), REFUSE(ptrace), REFUSE(process_vm_readv),
    REFUSE(process_vm_writev), REFUSE(open_by_handle_at), REFUSE(io_uring_setup), REFUSE(bpf),
    REFUSE(userfaultfd), REFUSE(perf_event_open), REFUSE(add_key), REFUSE(keyctl),
    REFUSE(mount), REFUSE(unshare), REFUSE(setns), REFUSE(socketpair),
    ONLY(clone, CLONE_THREAD), FIELD(nr), ONE_OF(socket, AF_UNIX, FAMILY_4, FAMILY_6),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

int restrict_calls(bool allows_connections) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return errno;
  enum { count = sizeof filter / sizeof filter[0] };
  struct sock_filter own[count];
  memcpy(own, filter, sizeof filter);
  for (int index = 0; index < count; index++) {
    if (own[index].k == FAMILY_4) own[index].k = allows_connections ? AF_INET : AF_UNIX;
    if (own[index].k == FAMILY_6) own[index].k = allows_connections ? AF_INET6 : AF_UNIX;
  }
  const struct sock_fprog program = {.len = count, .filter = own};
  long result =
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  return result == 0 ? 0 : errno ? errno : EPERM;
}
