// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "replay_clock.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// The number of running replays. A thread that kept a shown time after the replay's end gets the system's again.
static atomic_int replays;

static _Thread_local bool is_shown;
static _Thread_local int64_t shown_us;

void replay_clock_begin(void) { atomic_fetch_add(&replays, 1); }
void replay_clock_end(void) { atomic_fetch_sub(&replays, 1); }

void replay_clock_show(int64_t microseconds) {
  shown_us = microseconds;
  is_shown = true;
}

void replay_clock_hide(void) { is_shown = false; }

#if defined(__linux__) && defined(__GLIBC__) && defined(__LP64__)

static struct timespec shown(void) {
  int64_t microseconds = shown_us % 1000000;
  int64_t seconds = shown_us / 1000000;
  // Before 1970 the remainder is negative; that of a timespec never is.
  if (microseconds < 0) {
    microseconds += 1000000;
    seconds -= 1;
  }
  return (struct timespec){.tv_sec = seconds, .tv_nsec = microseconds * 1000};
}

// A semaphore of libdispatch waits until a time of the wall clock, and the kernel has only one. So that library gets the
// system's; if it is linked into the program, its calls are indistinguishable, and all callers get it.
static bool is_shown_to(const void *caller) {
  if (!is_shown || atomic_load(&replays) == 0) return false;
  Dl_info asking, waiting;
  // No sanitizer answers for this function in the place of the library.
  const void *wait = dlsym(RTLD_DEFAULT, "dispatch_walltime");
  if (wait == NULL || dladdr(wait, &waiting) == 0 || dladdr(caller, &asking) == 0) return false;
  return strstr(waiting.dli_fname, "libdispatch") != NULL && asking.dli_fbase != waiting.dli_fbase;
}

static int wall_clock(const void *caller, struct timespec *now) {
  if (!is_shown_to(caller)) return (int)syscall(SYS_clock_gettime, CLOCK_REALTIME, now);
  *now = shown();
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (clock == CLOCK_REALTIME) return wall_clock(__builtin_return_address(0), now);
  return (int)syscall(SYS_clock_gettime, clock, now);
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec wall;
  (void)zone;
  if (wall_clock(__builtin_return_address(0), &wall) != 0) return -1;
  *now = (struct timeval){.tv_sec = wall.tv_sec, .tv_usec = wall.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *now) {
  struct timespec wall;
  if (wall_clock(__builtin_return_address(0), &wall) != 0) return (time_t)-1;
  if (now != NULL) *now = wall.tv_sec;
  return wall.tv_sec;
}

#endif
