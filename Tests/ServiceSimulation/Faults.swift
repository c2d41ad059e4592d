// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// Each kind of fault has its own sequence of random numbers, so that leaving one kind out does not change the times of
// the others, as long as the world asks for them equally often. Some come at occasions (at each effect, delivery,
// start), some by themselves, at an hourly rate. A seed uses only some kinds, and some of them more often (swarm
// testing: Groce et al., ISSTA 2012): a bug that needs two simultaneous faults is found sooner if the other twenty are
// silent.
// Every fault that struck has a name, such as `kill#3` for the third kill, under which it can be left out.

/// The kinds of faults.
package enum FaultKind: String, Sendable, CaseIterable {
  // The service ------------------------------------------------------------------------------------
  /// Killed between two effects.
  case kill
  /// Killed after an input was taken and before its change was written.
  case killBeforeCommit = "kill-before-commit"
  /// Killed when its change was written, before it received the confirmation.
  case killAfterCommit = "kill-after-commit"
  /// Killed between two inputs.
  case killIdle = "kill-idle"
  /// Stopped in an orderly way.
  case stop
  case reboot
  /// The store accepts nothing for a while.
  case diskFull = "disk-full"
  case settings
  // Processes --------------------------------------------------------------------------------------
  case keeperDies = "keeper-dies"
  case prevented
  case failedToStart = "failed-to-start"
  /// A freeze, or a start, takes seconds.
  case slowKeeper = "slow-keeper"
  case crash
  case exit
  case hang
  case slow
  case ignoresEnd = "ignores-end"
  // Connections ------------------------------------------------------------------------------------
  case noAcknowledgement = "no-ack"
  case lateAcknowledgement = "late-ack"
  case doubleAcknowledgement = "double-ack"
  case wrongAcknowledgement = "wrong-ack"
  case leaves
  case connectsLate = "connects-late"
  case connectsTwice = "connects-twice"
  case claims
  case refused
  // The world --------------------------------------------------------------------------------------
  case gpsdGone = "gpsd-gone"
  case gpsdSilent = "gpsd-silent"
  case unplugged
  case garbage
  case clockStep = "clock-step"
  case hostSleeps = "host-sleeps"
  case modemGone = "modem-gone"
  // Users ------------------------------------------------------------------------------------------
  case user
  case manifests
  // Sinks ------------------------------------------------------------------------------------------
  case sinkFails = "sink-fails"
  case slowSink = "slow-sink"

  /// The probability at each occasion; 0 for those that come by themselves.
  var probability: Double {
    switch self {
    case .kill: 0.004
    case .killBeforeCommit, .killAfterCommit: 0.004
    case .prevented, .failedToStart: 0.05
    case .slowKeeper: 0.1
    case .crash, .exit, .hang: 0.02
    case .slow: 0.05
    case .ignoresEnd: 0.2
    case .noAcknowledgement, .lateAcknowledgement, .doubleAcknowledgement, .wrongAcknowledgement:
      0.05
    case .leaves: 0.02
    case .connectsLate: 0.1
    case .connectsTwice: 0.1
    case .refused: 0.02
    case .garbage: 0.01
    case .sinkFails, .slowSink: 0.1
    case .killIdle, .stop, .reboot, .diskFull, .settings, .keeperDies, .claims, .gpsdGone,
      .gpsdSilent, .unplugged, .clockStep, .hostSleeps, .modemGone, .user, .manifests:
      0
    }
  }

  /// The mean interval in seconds; `nil` for those that come at occasions.
  var interval: Double? {
    switch self {
    case .killIdle: 7_200
    case .stop: 14_400
    case .reboot: 28_800
    case .diskFull: 10_800
    case .settings: 10_800
    case .keeperDies: 7_200
    case .claims: 5_400
    case .gpsdGone, .gpsdSilent, .unplugged: 7_200
    case .clockStep: 7_200
    case .hostSleeps: 7_200
    case .modemGone: 14_400
    case .user: 900
    case .manifests: 5_400
    default: nil
    }
  }
}

/// One fault that struck.
package struct FaultName: Sendable, Hashable, CustomStringConvertible {
  package let kind: FaultKind
  /// From 1.
  package let number: Int

  package init(_ kind: FaultKind, _ number: Int) {
    self.kind = kind
    self.number = number
  }

  /// Reads `kill#3`; `nil` for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "#", omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = FaultKind(rawValue: String(parts[0])),
      let number = Int(parts[1]), number > 0
    else { return nil }
    self.init(kind, number)
  }

  package var description: String { "\(kind.rawValue)#\(number)" }
}

/// The faults that may strike, and those that have.
struct Faults: Sendable {
  private struct Kind: Sendable {
    var chance: Chance
    var factor: Double
    var struck = 0
  }

  private var kinds: [Kind]
  private let muted: Set<FaultName>
  /// Whether the time of faults is over: nothing strikes any more.
  var isOver = false
  private(set) var injected: [FaultName] = []

  /// `allowed`: the kinds that may strike at all; with `swarm` the seed selects them and their rates.
  init(seed: UInt64, allowed: Set<FaultKind>, muted: Set<FaultName>) {
    self.muted = muted
    var choice = Chance(seed: seed, purpose: 0xFA)
    kinds = FaultKind.allCases.enumerated().map { number, kind in
      let factor = choice.pick([0, 0, 0.3, 1, 1, 1, 4])
      return Kind(
        chance: Chance(seed: seed, purpose: 0x100 + UInt64(number)),
        factor: allowed.contains(kind) ? factor : 0)
    }
  }

  /// Whether it strikes at this occasion.
  mutating func strike(_ kind: FaultKind) -> Bool {
    let index = kind.index
    guard !isOver, kinds[index].factor > 0 else { return false }
    guard kinds[index].chance.happens(kind.probability * kinds[index].factor) else { return false }
    return struck(kind)
  }

  /// Whether a fault that came by itself strikes.
  mutating func struck(_ kind: FaultKind) -> Bool {
    guard !isOver else { return false }
    kinds[kind.index].struck += 1
    let name = FaultName(kind, kinds[kind.index].struck)
    guard !muted.contains(name) else { return false }
    injected.append(name)
    return true
  }

  /// Seconds to the next one; `nil` if it never comes.
  mutating func pause(before kind: FaultKind) -> Double? {
    let index = kind.index
    guard let interval = kind.interval, kinds[index].factor > 0 else { return nil }
    return kinds[index].chance.pause(mean: interval / kinds[index].factor)
  }
}

extension FaultKind {
  private static let indices = Dictionary(
    uniqueKeysWithValues: FaultKind.allCases.enumerated().map { ($1, $0) })

  var index: Int { Self.indices[self] ?? 0 }
}
