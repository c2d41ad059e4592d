/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded under valgrind 3.19, which writes to the mask that sigsuspend(2) is given and so crashes on a constant one,
   as libdispatch's is: the main thread of an asynchronous Swift program waits there for ever. */
#include <signal.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
    (void)mask;
    return pause();
}
