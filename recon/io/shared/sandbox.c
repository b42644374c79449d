/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A filter of system calls (seccomp(2), Linux 3.5 and later) that leaves what reading takes. It lists what is allowed:
 * what a kernel has more one day is refused. Reading is not bound to a folder, as Landlock could, since external links
 * and virtual datasets lead anywhere; but nothing that is read gets out. */
#include "recon/io/shared/trial-private.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__ && defined __LP64__
#define MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#ifdef MACHINE

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
/* The lower half of an argument, which holds flags, descriptors and process ids. */
#define ARGUMENT(n) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (n))
#define ALLOWED BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSED(fault) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (fault))
/* So many statements are passed over where what was loaded is, or is not, the value; has none of the bits, or some. */
#define IF(value, is, is_not) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (is), (is_not))
#define IF_ANY(bits, some, none) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), (some), (none))

#define ALLOW(call) IF(__NR_##call, 0, 1), ALLOWED
#define ALLOW_WITHOUT(call, n, bits) IF(__NR_##call, 0, 4), ARGUMENT(n), IF_ANY(bits, 1, 0), ALLOWED, REFUSED(EPERM)
#define ALLOW_WITH(call, n, bits) IF(__NR_##call, 0, 4), ARGUMENT(n), IF_ANY(bits, 0, 1), ALLOWED, REFUSED(EPERM)
#define ALLOW_ONE(call, n, value) IF(__NR_##call, 0, 4), ARGUMENT(n), IF(value, 0, 1), ALLOWED, REFUSED(EPERM)
#define ALLOW_TWO(call, n, a, b) IF(__NR_##call, 0, 5), ARGUMENT(n), IF(a, 1, 0), IF(b, 0, 1), ALLOWED, REFUSED(EPERM)

enum { WRITING = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC };

static const struct sock_filter filter[] = {
    LOAD(arch),
    IF(MACHINE, 1, 0),
    REFUSED(EPERM),
    LOAD(nr),
    ALLOW(read),
    ALLOW(pread64),
    ALLOW(readv),
    ALLOW(preadv),
    ALLOW(lseek),
    ALLOW(close),
    ALLOW(fstat),
    ALLOW(newfstatat),
    ALLOW(statx),
    ALLOW(faccessat),
    ALLOW(readlinkat),
    ALLOW(getdents64),
    ALLOW(getcwd),
    ALLOW(statfs),
    ALLOW(fstatfs),
    ALLOW(fadvise64),
    ALLOW(dup),
    ALLOW(dup3),
    ALLOW(mprotect),
    ALLOW(munmap),
    ALLOW(mremap),
    ALLOW(madvise),
    ALLOW(brk),
    ALLOW(futex),
    ALLOW(rt_sigaction),
    ALLOW(rt_sigprocmask),
    ALLOW(rt_sigreturn),
    ALLOW(sigaltstack),
    ALLOW(set_robust_list),
    ALLOW(exit),
    ALLOW(exit_group),
    ALLOW(restart_syscall),
    ALLOW(getpid),
    ALLOW(gettid),
    ALLOW(getuid),
    ALLOW(geteuid),
    ALLOW(getgid),
    ALLOW(getegid),
    ALLOW(getrusage),
    ALLOW(clock_gettime),
    ALLOW(clock_getres),
    ALLOW(clock_nanosleep),
    ALLOW(nanosleep),
    ALLOW(gettimeofday),
    ALLOW(getrandom),
    ALLOW(uname),
    ALLOW(sysinfo),
    ALLOW(sched_yield),
    ALLOW(sched_getaffinity),
#ifdef __NR_rseq
    ALLOW(rseq),
#endif
#ifdef __NR_faccessat2
    ALLOW(faccessat2),
#endif
#ifdef __NR_open /* and others that newer machines have not */
    ALLOW(stat),
    ALLOW(lstat),
    ALLOW(access),
    ALLOW(readlink),
    ALLOW(dup2),
    ALLOW_WITHOUT(open, 1, WRITING),
#endif
    ALLOW_WITHOUT(openat, 2, WRITING),
    ALLOW_WITHOUT(mmap, 3, MAP_SHARED),
    /* threads, no processes; clone3 keeps its flags where a filter cannot look, and the C library does without it */
    ALLOW_WITH(clone, 0, CLONE_THREAD),
#ifdef __NR_clone3
    IF(__NR_clone3, 0, 1),
    REFUSED(ENOSYS),
#endif
    ALLOW_ONE(prlimit64, 0, 0),
    ALLOW_TWO(fcntl, 1, F_GETFD, F_GETFL),
    ALLOW_TWO(flock, 1, LOCK_SH | LOCK_NB, LOCK_UN), /* HDF5's of the files that links lead to */
    /* standard streams, which lead nowhere in the child */
    ALLOW_TWO(write, 0, STDOUT_FILENO, STDERR_FILENO),
    ALLOW_TWO(writev, 0, STDOUT_FILENO, STDERR_FILENO),
    REFUSED(EPERM),
};

bool ct_sandbox_enter(void) {
  const char *wanted = getenv("GANTRY_SANDBOX");
  if (wanted && strcmp(wanted, "off") == 0) return false;
  const struct sock_fprog program = {sizeof filter / sizeof *filter, (struct sock_filter *)filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

bool ct_sandbox_enter(void) {
  return false;
}

#endif
