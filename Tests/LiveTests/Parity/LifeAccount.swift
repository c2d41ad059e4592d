// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationEngine
import LocationModel
import Replay
import ServiceContract
import ServiceCore
import Synchronization
import TraceFiles

/// The service's decisions about one app in one world, live or replayed, in the same form.
struct LifeAccount: Sendable {
  /// A change of state with its reason, or a launch.
  struct Step: Sendable, Equatable {
    let at: UTCInstant
    let words: String
  }

  struct Handed: Sendable, Equatable {
    let at: UTCInstant
    let delivery: Delivery
  }

  private(set) var steps: [Step] = []
  private(set) var deliveries: [Handed] = []
  /// The verdict on each fix, by the fix's own time.
  private(set) var verdicts: [UTCInstant: Verdict.Outcome] = [:]
  /// The other decisions: pauses, motion, failed requests, meaningless inputs.
  private(set) var others: [Step] = []

  mutating func take(_ command: EngineCommand, at time: UTCInstant) {
    switch command {
    case .transition(_, let transition):
      let states = "\(transition.from.rawValue) → \(transition.to.rawValue)"
      steps.append(Step(at: time, words: "\(states): \(transition.reason.text)"))
    case .launch(_, let options):
      steps.append(Step(at: time, words: "launched for \(options.reason.rawValue)"))
    case .deliver(_, let delivery): deliveries.append(Handed(at: time, delivery: delivery))
    case .verdict(_, _, let verdict, let fixTime):
      if let fixTime { verdicts[fixTime] = verdict.outcome }
    case .motion, .paused, .requestFailed, .asksUser, .tasksExpire, .work, .notWoken, .unreachable,
      .notify,
      .audioStopped, .memoryTaken, .heading, .deferralEnded, .place, .ignored:
      others.append(Step(at: time, words: "\(command)"))
    case .receiver, .requestNetworkPosition, .listen: break
    }
  }

  /// Leaves one delivery out, as if it had not happened.
  mutating func drop(deliveryAt index: Int) { deliveries.remove(at: index) }
}

/// The accounts of all apps of one world.
final class WorldAccount: RunObserver {
  private let accounts = Mutex<[AppID: LifeAccount]>([:])

  func saw(_ command: EngineCommand, at time: UTCInstant) {
    guard let app = command.app else { return }
    accounts.withLock { $0[app, default: LifeAccount()].take(command, at: time) }
  }

  subscript(number: UInt32) -> LifeAccount {
    accounts.withLock { $0[AppID(number)] ?? LifeAccount() }
  }

  struct Broken: Error, CustomStringConvertible { let description: String }

  /// From a daemon's recording, up to `end`: the repeated decisions must equal the recorded ones.
  static func recorded(_ path: String, until end: UTCInstant) throws -> WorldAccount {
    let account = WorldAccount()
    var decoder = RecordingDecoder()
    var steps: [RecordingDecoder.Step] = []
    try decoder.decode([UInt8](Data(contentsOf: URL(fileURLWithPath: path))).span, into: &steps)
    guard let header = decoder.header else { throw Broken(description: "\(path) has no header") }
    var player = RecordingPlayer(header)
    var time = header.started.utc
    for step in steps {
      if case .input(_, let now) = step.kind { time = now.utc }
      if time > end { break }
      if let difference = player.play(step) { throw Broken(description: "\(difference)") }
      for command in player.takeDecisions() { account.saw(command, at: time) }
    }
    return account
  }
}
