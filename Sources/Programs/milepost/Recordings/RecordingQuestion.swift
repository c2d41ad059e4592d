// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import JSONText
import LocationModel
import Reports
import ServiceContract
import ServiceCore
import TraceFiles

/// The reason why the apps of a recording received nothing at one instant: the service is replayed up to there, and
/// then queried as by its user.
struct RecordingQuestion {
  let instant: UTCInstant

  func answer(_ recording: RecordingFile, asJSON: Bool, to output: OutputFile) throws {
    let (begun, last) = try service(of: recording)
    guard var service = begun, let last else {
      throw Complaint(
        "\(recording.file.name): \(instant.rfc3339) lies outside the recording"
          + (last.map { ", which ends at \($0.utc.rfc3339)" } ?? ""))
    }
    let seconds = UTCInstant.seconds(from: last.utc, to: instant)
    let time = ServiceTime(at: last.at.advanced(bySeconds: max(0, seconds)), utc: instant)
    while let due = service.nextDeadline, due < time.at, due > service.now.at {
      _ = service.answers(to: .timePassed, at: ServiceTime(at: due, utc: instant))
    }
    let explanations = try service.explanations(at: time)
    guard !explanations.isEmpty else {
      throw Complaint("\(recording.file.name): there was no app at \(instant.rfc3339)")
    }
    let texts = explanations.map {
      asJSON ? $0.json + "\n" : AppText.report(explanation: $0).text(Console.style)
    }
    try output.write(Array(texts.joined(separator: asJSON ? "" : "\n").utf8))
    try output.commit()
  }

  /// The service after the last input before the instant, and that input's time; no service if the instant lies outside
  /// the recording.
  private func service(
    of recording: RecordingFile
  ) throws -> (LocationService?, last: ServiceTime?) {
    var player: RecordingPlayer?
    var last: ServiceTime?
    var isPassed = false
    try recording.forEachChunk { header, steps in
      for step in steps {
        if case .input(_, let time) = step.kind {
          isPassed = time.utc > instant
          if isPassed { return false }
          last = time
        }
        var now = player ?? RecordingPlayer(header)
        if let difference = now.play(step) {
          throw Complaint(
            "\(recording.file.name):\(difference.line): decided otherwise from here on, so that nobody can "
              + "say; milepost replay without --why-at tells what")
        }
        _ = now.takeDecisions()
        player = now
      }
      return true
    }
    return (isPassed || last?.utc == instant ? player?.service : nil, last)
  }
}

extension LocationService {
  /// Its answers to an input that are documents.
  fileprivate mutating func answers(to input: ServiceInput, at time: ServiceTime) -> [String] {
    handle(input, at: time)
    var answers: [String] = []
    while let decision = decide() {
      for case .send(.document(let json), _, _) in effects(of: decision, after: .noStore) {
        answers.append(json)
      }
    }
    return answers
  }

  fileprivate mutating func explanations(at time: ServiceTime) throws -> [ExplanationDocument] {
    let user = ClientID(.max)
    _ = answers(to: .client(.connected(user, .socket(pid: 0, group: nil, uid: 0))), at: time)
    let apps = try answers(to: .client(.message(user, .apps)), at: time)
      .map { try AppsDocument(json: $0) }
    return try apps.flatMap(\.apps).flatMap { app in
      try answers(to: .client(.message(user, .explain(app.name))), at: time)
        .map { try ExplanationDocument(json: $0) }
    }
  }
}
