// Runs a program on a kernel with simulated gaps: `WithoutCalls seccomp landlock -- PROGRAM
// ARGUMENTS`.
//
// The features named before `--` fail in the program and its children, as in a kernel that was
// built without them: `seccomp` for system call filters, `landlock` for Landlock. With `install`
// the kernel supports system call filters but refuses to install any, as a container may do.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define FAIL(code) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static const struct sock_filter without_seccomp[] = {
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
    FAIL(EINVAL),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1),
    FAIL(EINVAL),
    ALLOW,
};

// A seccomp call without a filter only asks whether filters are supported. It stays allowed.
static const struct sock_filter without_install[] = {
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 5),
    LOAD(args[2]),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2]) + 4),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
    FAIL(EINVAL),
    ALLOW,
};

static const struct sock_filter without_landlock[] = {
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
    FAIL(ENOSYS),
    ALLOW,
};

static int install(const struct sock_filter *filter, size_t count) {
  struct sock_fprog program = {
      .len = (unsigned short)count, .filter = (struct sock_filter *)filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int count, char **words) {
  int seccomp = 0, landlock = 0, refusing = 0, next = 1;
  for (; next < count && strcmp(words[next], "--") != 0; next++) {
    seccomp |= strcmp(words[next], "seccomp") == 0;
    landlock |= strcmp(words[next], "landlock") == 0;
    refusing |= strcmp(words[next], "install") == 0;
  }
  if (landlock && install(without_landlock, sizeof without_landlock / sizeof *without_landlock))
    return 71;
  // This filter is the last one, because no other can be installed after it.
  if (seccomp && install(without_seccomp, sizeof without_seccomp / sizeof *without_seccomp))
    return 71;
  if (refusing && install(without_install, sizeof without_install / sizeof *without_install))
    return 71;
  if (++next >= count) return 64;
  execv(words[next], words + next);
  perror(words[next]);
  return 71;
}
