// SPDX-License-Identifier: Apache-2.0

#ifndef REPLAY_CLOCK_H
#define REPLAY_CLOCK_H

#include <stdint.h>

// What the wall clock of this process says while a replay runs an app's code.
//
// A program that links this has clock_gettime, gettimeofday and time from here: Foundation's Date() and C code ask them.
// They answer as the system does, but on a thread that is shown another time, while a replay runs. Only the wall clock
// is another one: monotonic clocks, timers and waits are the system's. On Linux with glibc and 64 bits, in a program that
// links Swift's libraries dynamically; elsewhere nothing of this has any effect.

/// A replay begins in this process; one more ends.
void replay_clock_begin(void);
void replay_clock_end(void);

/// The calling thread is shown this time, microseconds since 1970, until it is shown another one, or none.
void replay_clock_show(int64_t microseconds);
void replay_clock_hide(void);

#endif
