// SPDX-License-Identifier: Apache-2.0

#ifndef REPLAY_CLOCK_H
#define REPLAY_CLOCK_H

#include <stdint.h>

// The wall clock of this process while a replay runs an app's code.
//
// A program that links this has clock_gettime, gettimeofday and time from here: Foundation's Date() and C code call them.
// They return the system's time, except on a thread that is shown another time while a replay runs. Only the wall clock
// differs: monotonic clocks, timers and waits are the system's. On Linux with glibc and 64 bits, in a program that
// links Swift's libraries dynamically; elsewhere this has no effect.

/// A replay begins in this process; one more ends.
void replay_clock_begin(void);
void replay_clock_end(void);

/// Shows the calling thread this time, microseconds since 1970, until it is shown another one, or none.
void replay_clock_show(int64_t microseconds);
void replay_clock_hide(void);

#endif
