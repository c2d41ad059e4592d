// SPDX-License-Identifier: Apache-2.0

/// How processes can be frozen, in the order of preference.
package enum FreezeMeans: String, Sendable, CaseIterable {
  /// `cgroup.freeze` of the app's cgroup.
  case cgroup2
  /// `freezer.state` of the app's cgroup.
  case cgroup1
  /// SIGSTOP and SIGCONT to the app's process group and to the descendants that left it.
  case signals
}

extension FreezeMeans {
  /// The group under which this process can give apps their own; `nil` for signals, and if none is
  /// writable.
  package var parentGroup: ControlGroup? {
    switch self {
    case .cgroup2, .cgroup1:
      ControlGroup.own(isVersion1: self == .cgroup1).flatMap { $0.canHoldApps ? $0 : nil }
    case .signals: nil
    }
  }

  /// The first that works here.
  package static var firstWritable: FreezeMeans {
    allCases.first { $0 == .signals || $0.parentGroup != nil } ?? .signals
  }
}
