// SPDX-License-Identifier: Apache-2.0
//
// Lets the thread sanitizer see what a contended `Mutex` of Swift orders. Preloaded by `Tools/test --sanitize=thread`.
//
// `Mutex.withLock` is compiled into the program, and there the sanitizer sees its atomic exchange. Where another thread
// holds the lock, though, three functions of libswiftSynchronization.so take, hand over and free it (in Swift 6.3 by
// FUTEX_LOCK_PI and FUTEX_UNLOCK_PI), and that library is not instrumented: two turns under one lock then look as if
// nothing had been between them. These stand before those three, call them, and say so.
//
// A method of Swift has its `self` in a register of its own, which only the calling convention `swiftcall` names.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT_METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

// In a program without the sanitizer (gpsd, a shell) there is neither.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

SWIFT_METHOD void lock(uint32_t thread, SELF) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT_METHOD bool try_lock(SELF) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
SWIFT_METHOD void unlock(SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT_METHOD void lock(uint32_t thread, SELF) {
  SWIFT_METHOD void (*real)(uint32_t, SELF) =
      dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  real(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT_METHOD bool try_lock(SELF) {
  SWIFT_METHOD bool (*real)(SELF) =
      dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
  bool is_locked = real(self);
  if (is_locked && __tsan_acquire) __tsan_acquire(self);
  return is_locked;
}

SWIFT_METHOD void unlock(SELF) {
  SWIFT_METHOD void (*real)(SELF) =
      dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
  if (__tsan_release) __tsan_release(self);
  real(self);
}
