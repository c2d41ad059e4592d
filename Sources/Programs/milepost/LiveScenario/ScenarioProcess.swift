// SPDX-License-Identifier: Apache-2.0

import ControlClient
import ControlProtocol
import Glibc
import LocationModel
import RadioPower
import Replay
import ServiceContract
import ServiceCore

// Theory
// ======
//
// The app of a scenario is a value that receives messages and returns acts (`ScenarioProgram`). In a replay a host in
// virtual time drives it, here a process: it gets the connection's messages, continues at its deadlines, and its acts
// are sent. Its seconds are those of the service, which may be shorter than the machine's.
//
// A frozen process does not notice the freeze: if a wait took much longer than requested, the process assumes that it
// was frozen for the excess, so that work begun before takes its full time after it.

/// A process that acts as the scenario's app.
struct ScenarioProcess {
  private let app: ScenarioApp
  private let service: ServiceOptions
  private var program: ScenarioProgram
  private var clock: ServiceClock

  /// The maximum lateness of a wait in a running process, machine's seconds.
  private static let tolerance = 1.0
  /// The maximum length of one wait during work, machine's seconds.
  private static let longestWait = 0.5

  init(_ app: ScenarioApp, service: ServiceOptions) throws {
    self.app = app
    self.service = service
    let network = try Self.network(of: service)
    program = ScenarioProgram(app, tracking: RunPlan(.significant, .pocket, policy: nil)) {
      network?.transferDuration(of: $0) ?? 0
    }
    clock = ServiceClock(service)
  }

  /// The network by which the service computes the cost of transfers; `nil` if its device has none.
  private static func network(of service: ServiceOptions) throws -> NetworkProfile? {
    let status: StatusDocument? = try service.ask(.status)
    return try? status.flatMap { try ProfileLibrary.network(named: $0.networkProfile) }
  }

  /// Runs until it exits, crashes, or the service is gone.
  mutating func run() throws {
    let start = try clock.now()
    let line = try service.connect()
    try line.send(.hello(.init(app: app.name)))
    var now = ServiceTime(at: .zero, utc: start)
    program.beginProcess(nil, at: now)
    while true {
      let left = program.nextDeadline.map { EngineInstant.seconds(from: now.at, to: $0) }
      let wait = left.map { min(max(0, $0) / clock.rate, Self.longestWait) }
      let message = try line.receive(timeout: wait)
      if message == nil, line.isAtEnd { return }
      now = try time(since: start, after: now, waiting: wait)
      var acts: [ProgramAct] = []
      if let message { program.hear(message: message, at: now, into: &acts) }
      if let due = program.nextDeadline, due <= now.at { acts += program.pass(to: now) }
      for act in acts { try perform(act: act, on: line) }
    }
  }

  /// The time, after a wait of that many of the machine's seconds.
  private mutating func time(
    since start: UTCInstant, after before: ServiceTime, waiting wait: Double?
  ) throws -> ServiceTime {
    let utc = try clock.now()
    let seconds = max(before.at.seconds, UTCInstant.seconds(from: start, to: utc))
    let now = ServiceTime(at: .zero.advanced(bySeconds: seconds), utc: utc)
    guard let wait else { return now }
    let expected = before.at.advanced(bySeconds: wait * clock.rate)
    let late = EngineInstant.seconds(from: expected, to: now.at) / clock.rate
    guard late > Self.tolerance else { return now }
    program.froze(at: ServiceTime(at: expected, utc: utc))
    program.thawed(at: now)
    return now
  }

  private func perform(act: ProgramAct, on line: ControlClient) throws {
    switch act {
    case .say(let message): try line.send(message)
    case .remark(let words): print(words)
    // Nothing is sent: it only takes its time.
    case .transfer, .issueDownload: break
    case .exit(let status): exit(status)
    case .crash: abort()
    }
    fflush(nil)
  }
}
