// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// A handler's deliveries are worked off one at a time, oldest first:
//
//            delivery waits                 exit 0: acknowledged, the next one
//   idle ──────────────────────► running ───────────────────────────────────────► idle
//    ▲                              │ anything else, or its time is over
//    │     1, 2, 4 … 600 s          ▼            tried for `retriesFor` (7 days)
//    └────────────────────────── waiting ──────────────────────────► given up: kept apart, and said
//
// - The start of a run for a number is stored before it begins, and its ending is stored before its keeper forgets it.
//   So after a kill at any point, a run that ended well is never repeated, and one with an unknown ending is.
// - A run that the service itself could not begin (a full disk) does not count: it is retried.
// - Given-up events can be viewed, sent again and discarded (`milepost apps events`).
// - A run is a task in the sense of the rules (Where-each-rule-stands.md, "Running longer"): it may go on after the
//   wake that began it, for `timeout_s` of its manifest, and is then ended.

/// A handler's run. Between two runs a handler has no process.
enum HandlerRun: Sendable, Equatable {
  case idle
  /// It failed, or could not be started; it is retried then.
  case waiting(until: EngineInstant)
  /// The start of a run for the delivery of this number is stored, or being stored; perhaps by an earlier service,
  /// which may have begun it.
  case announced(UInt64)
  /// Asked for.
  case starting(UInt64)
  case running(UInt64, pid: Int32)
  /// Ordered to end with the service: the next service repeats it.
  case ending(UInt64)
}

extension HandlerRun {
  /// Whether nothing prevents a run.
  var mayBegin: Bool {
    switch self {
    case .idle, .announced: true
    case .waiting, .starting, .running, .ending: false
    }
  }

  /// The delivery of the present run, or of one begun by an earlier service.
  var number: UInt64? {
    switch self {
    case .announced(let number), .starting(let number), .running(let number, _),
      .ending(let number):
      number
    case .idle, .waiting: nil
    }
  }

  /// Whether there is a process, or one was asked for.
  var hasProcess: Bool {
    switch self {
    case .idle, .waiting, .announced: false
    case .starting, .running, .ending: true
    }
  }
}
