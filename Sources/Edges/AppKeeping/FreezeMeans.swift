// SPDX-License-Identifier: Apache-2.0

/// The means of freezing processes, in the order of preference.
package enum FreezeMeans: String, Sendable, CaseIterable {
  /// `cgroup.freeze` of the app's cgroup.
  case cgroup2
  /// `freezer.state` of the app's cgroup.
  case cgroup1
  /// SIGSTOP and SIGCONT to the app's process group and to the descendants that left it.
  case signals
}
