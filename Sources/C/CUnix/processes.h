// SPDX-License-Identifier: Apache-2.0
// Starting and signalling processes: the calls that Swift lacks (fork, prctl, variadic syscalls).
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/// `POSIX_SPAWN_SETSID`, which needs _GNU_SOURCE (posix_spawn(3)).
static const short spawn_in_new_session = 0x80;

/// The process at the other end of a Unix socket; -1 with errno (unix(7), SO_PEERCRED).
static inline int unix_peer(int descriptor, pid_t *pid, uid_t *uid) {
  struct { pid_t pid; uid_t uid; gid_t gid; } peer;
  socklen_t length = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
  *pid = peer.pid;
  *uid = peer.uid;
  return 0;
}

/// memfd_create(2): a file without a name, gone with its last descriptor.
static inline int nameless_file(const char *label) {
  return (int)syscall(SYS_memfd_create, label, 1u /* MFD_CLOEXEC */);
}

/// pidfd_open(2); -1 with ENOSYS before Linux 5.3, with EPERM if a seccomp filter refuses it.
static inline int process_descriptor(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0u); }

/// pidfd_send_signal(2): reaches this very process and never a later one with its number.
static inline int signal_through(int descriptor, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, descriptor, signal, (void *)0, 0u);
}

/// Makes orphaned descendants children of this process, so that it can reap them (prctl(2)).
static inline int adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

/// Blocks the signals of a keeper and returns a descriptor that delivers them; -1 with errno.
static inline int keeper_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, (sigset_t *)0);
  // Stops of children are polled; they need not wake the keeper.
  struct sigaction child = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP};
  sigaction(SIGCHLD, &child, (struct sigaction *)0);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/// The number of the next waiting signal; 0 if there is none.
static inline int next_signal(int descriptor) {
  struct signalfd_siginfo info;
  return read(descriptor, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

/// A timer on the clock that goes on while the machine sleeps; disarmed.
static inline int boot_timer(void) {
  return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

/// Arms it for an instant of that clock, seconds; 0 disarms it.
static inline int set_boot_timer(int descriptor, double instant) {
  struct itimerspec spec = {{0, 0}, {0, 0}};
  if (instant > 0) {
    spec.it_value.tv_sec = (time_t)instant;
    spec.it_value.tv_nsec = (long)((instant - (double)spec.it_value.tv_sec) * 1e9) + 1;
    if (spec.it_value.tv_nsec > 999999999) spec.it_value.tv_nsec = 999999999;
  }
  return timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &spec, (struct itimerspec *)0);
}

/// The data of a child between fork and exec. All memory belongs to the caller.
struct app_start {
  /// Paths to try in this order, with a NULL at the end.
  char *const *candidates;
  char *const *arguments;
  char *const *environment;
  const char *directory;
  /// `cgroup.procs` of the app's cgroup; NULL if there is none.
  const char *cgroup;
  int input;
  int output;
  /// One byte from it lets the child go on; its end ends the child.
  int gate;
  /// The other end of the gate, which the child must not hold open itself.
  int gate_keeper;
  /// Gets a `struct app_start_failure` if the program cannot be started; closes on exec.
  int report;
};

/// The failed step, and errno.
struct app_start_failure {
  int32_t step;
  int32_t code;
};

enum { app_start_cgroup = 1, app_start_directory = 2, app_start_exec = 3 };

static inline void app_start_fails(const struct app_start *start, int32_t step) {
  struct app_start_failure failure = {step, errno};
  ssize_t ignored = write(start->report, &failure, sizeof failure);
  (void)ignored;
  _exit(127);
}

/// Forks; the child enters its process group and cgroup, waits at the gate and becomes the app.
/// There are only async-signal-safe calls between fork and exec. Returns the child's pid, or -1.
static inline pid_t start_app(const struct app_start *start) {
  pid_t pid = fork();
  if (pid != 0) return pid;

  close(start->gate_keeper);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  setpgid(0, 0);
  for (int number = 1; number < 65; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, (sigset_t *)0);

  if (start->cgroup) {
    int procs = open(start->cgroup, O_WRONLY | O_CLOEXEC);
    if (procs < 0 || write(procs, "0", 1) != 1) app_start_fails(start, app_start_cgroup);
    close(procs);
  }
  char go = 0;
  ssize_t count;
  do { count = read(start->gate, &go, 1); } while (count < 0 && errno == EINTR);
  if (count != 1) _exit(127);

  if (chdir(start->directory) != 0) app_start_fails(start, app_start_directory);
  if (dup2(start->input, 0) < 0 || dup2(start->output, 1) < 0 || dup2(start->output, 2) < 0)
    app_start_fails(start, app_start_exec);
  int failure = ENOENT;
  for (char *const *candidate = start->candidates; *candidate; candidate++) {
    execve(*candidate, start->arguments, start->environment);
    // As execvp(3): a missing file is skipped, a forbidden one is remembered. An unsearchable folder on
    // PATH counts as one without the file.
    int code = errno;
    int is_absent = code == ENOENT || code == ENOTDIR;
    if (code == EACCES && start->candidates[1] && access(*candidate, F_OK) != 0) is_absent = 1;
    if (!is_absent) failure = code;
    if (!is_absent && code != EACCES) break;
  }
  errno = failure;
  app_start_fails(start, app_start_exec);
  return -1;
}
