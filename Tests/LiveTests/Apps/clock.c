// SPDX-License-Identifier: Apache-2.0
// Loaded before the C library (LD_PRELOAD): a wall clock that is wrong by the whole seconds that stand in the file
// CLOCK_OFFSET_FILE, and a machine that has slept for those in CLOCK_SKIP_FILE: its wall clock and its boot-time clock
// went on. All other clocks are the machine's.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long long seconds_in(const char *variable) {
  const char *path = getenv(variable);
  if (!path) return 0;
  char text[32] = {0};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  long long seconds = read(file, text, sizeof text - 1) > 0 ? atoll(text) : 0;
  close(file);
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  long result = syscall(SYS_clock_gettime, clock, time);
  if (result != 0) return (int)result;
  if (clock == CLOCK_REALTIME) time->tv_sec += seconds_in("CLOCK_OFFSET_FILE");
  if (clock == CLOCK_REALTIME || clock == CLOCK_BOOTTIME) time->tv_sec += seconds_in("CLOCK_SKIP_FILE");
  return 0;
}
