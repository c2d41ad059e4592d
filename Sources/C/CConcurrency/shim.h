// SPDX-License-Identifier: Apache-2.0
// The hook of Swift's runtime for jobs without an executor of their own (swift/Runtime/Concurrency.h). NIO looks its
// variable up by name, which finds it only where the program is linked to Swift's library: with the library inside, the
// variable is hidden. Here the linker finds it in both.
#pragma once

#include <stdbool.h>

typedef void (*job_taker)(void *job);
typedef __attribute__((swiftcall)) void (*usual_taker)(void *job);

extern __attribute__((swiftcall, weak)) void (*swift_task_enqueueGlobal_hook)(void *job, usual_taker usual);

/// In a function, for Swift's compiler makes no variable of a header.
static inline job_taker *chosen_taker(void) {
  static job_taker taker;
  return &taker;
}

static __attribute__((swiftcall)) void pass_job_on(void *job, usual_taker usual) { (*chosen_taker())(job); }

/// Hands all further jobs to `taker`; `false` if this runtime has no such hook. Called before there is any job.
static inline bool take_jobs(job_taker taker) {
  if (&swift_task_enqueueGlobal_hook == 0) return false;
  *chosen_taker() = taker;
  swift_task_enqueueGlobal_hook = pass_job_on;
  return true;
}
