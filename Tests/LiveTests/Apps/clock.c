// SPDX-License-Identifier: Apache-2.0
// Loaded before the C library (LD_PRELOAD): a wall clock that is wrong by the whole seconds that stand in the file
// CLOCK_OFFSET_FILE. All other clocks are the machine's.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  long result = syscall(SYS_clock_gettime, clock, time);
  const char *path = getenv("CLOCK_OFFSET_FILE");
  if (result != 0 || clock != CLOCK_REALTIME || !path) return (int)result;
  char text[32] = {0};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  if (read(file, text, sizeof text - 1) > 0) time->tv_sec += atoll(text);
  close(file);
  return 0;
}
