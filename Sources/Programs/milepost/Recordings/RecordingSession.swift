// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
import Replay
import Reports
import ServiceContract
import ServiceCore
import TraceFiles

/// One recording, decided again and written progressively: the inputs go directly to a new service, without any trace,
/// receiver or radio world in between.
struct RecordingSession {
  let format: ReplayFormat
  let why: Bool
  /// Times the recording's own speed; `nil` is as fast as possible.
  let speed: Double?

  /// Throws `NegativeAnswer` if a decision differs.
  func run(_ recording: RecordingFile, output path: String?) throws {
    let output = try OutputFile(path: path)
    let flushes = speed != nil && (path ?? "-") == "-"
    var writer = ReplayWriter(format: format)
    var state: Redecision?
    try output.write(writer.beginOutput())
    let end = try recording.forEachChunk { header, steps in
      for step in steps {
        guard !output.isClosed else { return false }
        var now = state ?? Redecision(header, name: recording.file.name)
        if let speed, case .input(_, let time) = step.kind {
          Pace.wait(
            until: EngineInstant.seconds(from: header.started.at, to: time.at) / speed)
        }
        let decisions = now.decide(step)
        for event in now.events(of: decisions, why: why) {
          try output.write(writer.encode(event: event))
        }
        state = now
        if flushes { try output.flush() }
        if now.report.difference != nil { return false }
      }
      return true
    }
    guard var state else {
      throw Complaint(
        "\(recording.file.name): a recording without any input; there is nothing to decide")
    }
    if let end { state.finish(at: end) }
    try output.write(writer.finish(recording: state.report))
    try output.commit()
    guard state.report.difference == nil else { throw NegativeAnswer() }
  }
}

/// A recording as far as it has been decided again.
private struct Redecision {
  private(set) var report: DecidedRecording
  private var player: RecordingPlayer
  private let start: EngineInstant
  private var time: ServiceTime
  private var receiverSince: EngineInstant?
  /// Includes apps that have been removed.
  private var names: [AppID: String] = [:]

  init(_ header: RecordingHeader, name: String) {
    player = RecordingPlayer(header)
    report = DecidedRecording(name: name, time: header.started.utc)
    start = header.started.at
    time = header.started
  }

  /// Decides a step, counts its results, and returns the engine's decisions.
  mutating func decide(_ step: RecordingDecoder.Step) -> [EngineCommand] {
    switch step.kind {
    case .input(_, let time):
      self.time = time
      report.inputs += 1
      report.time = time.utc
      report.duration = EngineInstant.seconds(from: start, to: time.at)
      if let since = receiverSince {
        report.receiverOn += EngineInstant.seconds(from: since, to: time.at)
        receiverSince = time.at
      }
    case .decision: break
    case .effect: report.effects += 1
    }
    if let difference = player.play(step) { report(difference: difference) }
    let decisions = player.takeDecisions()
    for decision in decisions { count(decision) }
    return decisions
  }

  /// Ends after the last line.
  mutating func finish(at line: Int) {
    if let difference = player.finish(at: line) { report(difference: difference) }
  }

  private mutating func report(difference: RecordingPlayer.Difference) {
    report.difference = .init(
      line: difference.line, recorded: difference.recorded, decided: difference.decided)
  }

  private mutating func count(_ decision: EngineCommand) {
    switch decision {
    case .deliver: report.deliveries += 1
    case .launch: report.launches += 1
    case .transition(_, let transition):
      if case .woken = transition.reason, transition.from == .suspended { report.wakes += 1 }
    case .receiver(let plan): receiverSince = plan.isOn ? time.at : nil
    case .verdict, .motion, .paused, .requestNetworkPosition, .requestFailed, .asksUser, .listen,
      .tasksExpire, .work, .notWoken, .unreachable, .notify, .audioStopped, .memoryTaken, .heading,
      .deferralEnded, .place,
      .ignored:
      break
    }
  }

  mutating func events(of decisions: [EngineCommand], why: Bool) -> [ReplayEvent] {
    decisions.compactMap { decision in
      guard let kind = ReplayEvent.Kind(decision, verdicts: why) else { return nil }
      return ReplayEvent(
        at: time.at, time: time.utc, kind: kind, name: decision.app.flatMap { name(of: $0) })
    }
  }

  private mutating func name(of app: AppID) -> String? {
    if let name = player.service.name(of: app) { names[app] = name }
    return names[app]
  }
}
