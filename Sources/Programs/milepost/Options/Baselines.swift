// SPDX-License-Identifier: Apache-2.0

import JSONText
import Replay
import Reports

/// A file of `compare --json`: one document per line.
struct Baselines {
  private let path: String
  private let documents: [Baseline]

  init(path: String) throws {
    self.path = path
    let lines = try WholeFile.readBytes(of: path, as: .baseline).split(separator: 0x0A)
    documents = try zip(1..., lines).map { number, line in
      let bytes = Array(line)
      do {
        return try Baseline(try JSONValue.parse(bytes.span))
      } catch let error as InputError {
        throw Complaint(error, in: "\(path):\(number)")
      } catch {
        throw Complaint("\(path):\(number): not a document of milepost compare --json")
      }
    }
    if documents.isEmpty {
      throw Complaint("\(path): empty; milepost compare --json writes such files")
    }
  }

  /// The changes of each trace; throws if no document concerns a trace.
  func changes(
    _ traces: [ComparedTrace], _ options: ReplayOptions, style: TextStyle
  ) throws -> String {
    try traces.map { trace in
      guard let baseline = documents.first(where: { $0.isOf(trace) }) else {
        let nearest = documents.first { $0.name == trace.name } ?? documents.first
        let reason = nearest?.mismatch(trace) ?? "it is empty"
        throw Complaint(
          "\(path): not a comparison of \(trace.name): \(reason); save one with milepost compare --json"
        )
      }
      return "\n" + BaselineText.report(trace, against: baseline, options: options).text(style)
    }.joined()
  }
}
