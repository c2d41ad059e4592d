// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import LocationEngine
import LocationModel
import RadioPower
import Recording
import Replay
import Reports
import TraceFiles

/// One recording, decided again and written as it goes: the inputs are fed straight to a new engine, with
/// no trace, receiver or radio world between.
struct RecordingSession {
  let format: ReplayFormat
  let why: Bool
  /// Times the recording's own speed; `nil` is as fast as possible.
  let speed: Double?

  fileprivate struct State {
    var player: RecordingPlayer
    var report: DecidedRecording
    let start: EngineInstant
    var receiverSince: EngineInstant?
  }

  /// Throws `NegativeAnswer` where something is decided otherwise.
  func run(_ recording: RecordingFile, output path: String?) throws {
    let output = try OutputFile(path: path)
    let flushes = speed != nil && (path ?? "-") == "-"
    var writer = ReplayWriter(format: format, namesApps: true)
    var state: State?
    try output.write(writer.begin())
    try recording.forEachChunk { header, steps in
      for step in steps {
        guard !output.isClosed else { return false }
        var now = try state ?? begin(header, at: step.record.at, recording)
        if let speed {
          Pace.wait(until: EngineInstant.seconds(from: now.start, to: step.record.at) / speed)
        }
        now.take(step, header)
        state = now
        for event in events(of: step.record, header) { try output.write(writer.write(event)) }
        if flushes { try output.flush() }
        if now.report.difference != nil { return false }
      }
      return true
    }
    guard let state else {
      throw Complaint(
        "\(recording.file.name): a recording without any step; there is nothing to decide")
    }
    try output.write(writer.finish(state.report))
    try output.commit()
    guard state.report.difference == nil else { throw NegativeAnswer() }
  }

  private func begin(
    _ header: RecordingHeader, at start: EngineInstant, _ recording: RecordingFile
  ) throws -> State {
    let snapshot = header.snapshot.flatMap(EngineState.snapshot)
    if header.snapshot != nil, snapshot == nil {
      throw Complaint(
        "\(recording.file.name):1: the recording begins with an engine that had been running, and release "
          + "\(header.release) kept it in another form; replay it with that release")
    }
    do throws(RecordingError) {
      return State(
        player: try RecordingPlayer(header, restoring: snapshot),
        report: DecidedRecording(name: recording.file.name, time: header.utc(at: start)),
        start: start)
    } catch {
      throw recording.complaint(error)
    }
  }

  /// What is told of one step: what was recorded, which is what is decided until the first difference.
  private func events(of record: EngineRecord, _ header: RecordingHeader) -> [ReplayEvent] {
    record.commands.compactMap { command in
      guard let kind = kind(of: command) else { return nil }
      return ReplayEvent(at: record.at, time: header.utc(at: record.at), kind: kind)
    }
  }

  private func kind(of command: EngineCommand) -> ReplayEvent.Kind? {
    switch command {
    case .transition(let app, let transition): .app(app, transition)
    case .launch(let app, let options): .launch(app, options)
    case .deliver(let app, let delivery): .deliver(app, delivery)
    case .verdict(let app, let service, let verdict, let fixTime):
      why ? .verdict(app, service, verdict, fixTime: fixTime) : nil
    case .motion(let app): .motion(app)
    case .paused(let app): .paused(app)
    case .receiver(let plan): .receiver(plan)
    case .requestNetworkPosition: .radio(.wifiScan)
    case .listen, .ignored: nil
    }
  }
}

extension RecordingSession.State {
  /// Decides a step, and counts what it led to.
  fileprivate mutating func take(_ step: RecordingDecoder.Step, _ header: RecordingHeader) {
    let at = step.record.at
    report.steps += 1
    report.commands += step.record.commands.count
    report.time = header.utc(at: at)
    report.duration = EngineInstant.seconds(from: start, to: at)
    if let since = receiverSince {
      report.receiverOn += EngineInstant.seconds(from: since, to: at)
      receiverSince = at
    }
    for command in step.record.commands {
      switch command {
      case .deliver: report.deliveries += 1
      case .launch: report.launches += 1
      case .transition(_, let transition):
        if case .woken = transition.reason, transition.from == .suspended { report.wakes += 1 }
      case .receiver(let plan): receiverSince = plan.isOn ? at : nil
      case .verdict, .motion, .paused, .requestNetworkPosition, .listen, .ignored: break
      }
    }
    if let difference = player.play(step) {
      report.difference = .init(
        line: difference.line, command: difference.command, recorded: difference.recorded,
        decided: difference.decided)
    }
  }
}
