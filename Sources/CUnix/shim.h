// SPDX-License-Identifier: Apache-2.0
// What Glibc has and Swift does not import.
#pragma once

#include <sys/types.h>

/// `struct ucred` of `SO_PEERCRED`, which hides behind _GNU_SOURCE (unix(7)).
struct peer_credentials {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};
