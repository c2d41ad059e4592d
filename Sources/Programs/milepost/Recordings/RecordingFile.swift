// SPDX-License-Identifier: Apache-2.0

import FixFormats
import JSONText
import LocationModel
import TraceFiles

/// A recording of the service in a file or on standard input.
struct RecordingFile {
  let file: TraceFile

  /// `nil` for a trace.
  init?(_ file: TraceFile) {
    guard file.format == .recording else { return nil }
    self.file = file
  }

  /// Passes on the steps as they are read, with the header before the first; `body` returns whether to continue.
  /// Reports on standard error if the recording is incomplete; returns the number of lines if it was complete, else, or
  /// if it was not read to its end, `nil`.
  @discardableResult
  func forEachChunk(
    _ body: (_ header: RecordingHeader, _ steps: [RecordingDecoder.Step]) throws -> Bool
  ) throws -> Int? {
    var decoder = RecordingDecoder()
    var steps: [RecordingDecoder.Step] = []
    var isWanted = true
    do {
      try file.readBytes { bytes in
        guard isWanted else { return }
        try decoder.decode(bytes, into: &steps)
        if let header = decoder.header { isWanted = try body(header, steps) }
        steps.removeAll(keepingCapacity: true)
      }
      guard isWanted else { return nil }
      let ending = try decoder.finishInput()
      remark(ending, after: decoder.lines)
      return ending == .complete ? decoder.lines : nil
    } catch let error as InputError {
      // The lines before a damaged one are useful without the rest.
      if isWanted, let header = decoder.header, !steps.isEmpty { _ = try body(header, steps) }
      throw Complaint(error, in: file.name)
    }
  }

  private func remark(_ ending: RecordingDecoder.Ending, after lines: Int) {
    switch ending {
    case .complete: break
    case .unfinished:
      Console.remark(
        "\(file.name): ends after line \(lines) without its last line: its recorder was ended before it "
          + "could write it")
    case .cut(let bytes):
      Console.remark(
        "\(file.name): cut after line \(lines): \(bytes) bytes of the next are left over and not read"
      )
    }
  }

  /// Throws if the receiver was switched off, so that the fixes do not cover the whole journey.
  func checkIsTrace() throws {
    var survey = RecordingSurvey()
    try forEachChunk { _, steps in
      for step in steps { survey.include(step: step) }
      return survey.hole == nil
    }
    guard let hole = survey.hole else { return }
    throw Complaint(
      "\(file.name):\(hole.line): the receiver was switched off at \(hole.utc.rfc3339), so nobody knows "
        + "where the device was meanwhile, and no other mode can be tried on it; milepost track --observe "
        + "keeps the receiver on (milepost replay decides this recording again)")
  }
}
