// SPDX-License-Identifier: Apache-2.0

/// With what processes are frozen; in the order in which they are preferred.
package enum FreezeMeans: String, Sendable, CaseIterable {
  /// `cgroup.freeze` of a cgroup of the app's own.
  case cgroup2
  /// `freezer.state` of a cgroup of the app's own.
  case cgroup1
  /// SIGSTOP and SIGCONT to the app's process group and to the descendants that left it.
  case signals
}
