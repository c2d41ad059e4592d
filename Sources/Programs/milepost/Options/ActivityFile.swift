// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import RadioPower
import TraceFiles

/// A log of radio activity in a file or on standard input.
enum ActivityFile {
  /// Passes on the activities in their order, with the time of the last one and whether the log ends.
  static func readActivities(
    _ path: String, _ body: (Activity) -> Void
  ) throws -> (last: EngineInstant, hasEnd: Bool) {
    var reader = ActivityLogReader()
    var activities: [Activity] = []
    var last: EngineInstant?
    func hand() {
      for activity in activities { body(activity) }
      last = activities.last?.at ?? last
      activities.removeAll(keepingCapacity: true)
    }
    do {
      try UnpackedFile.forEachChunk(of: path) { chunk in
        try reader.decode(Array(chunk).span, into: &activities)
        hand()
      }
      try reader.finish(into: &activities)
      hand()
    } catch let error as InputError {
      throw Complaint(error, in: InputName.short(path))
    }
    guard let last else {
      throw Complaint(
        "\(InputName.short(path)): no activity in this log (milepost meter --help shows the lines)")
    }
    return (last, reader.hasEnd)
  }
}
