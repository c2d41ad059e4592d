// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
import Geodesy
import JSONText
import LocationModel

/// `milepost history` for people.
package enum HistoryText {
  package static func report(history: HistoryDocument) -> Report {
    Report {
      if history.entries.isEmpty { Node.sentence("nothing is kept of this time") }
      if history.isCut { Node.sentence("older entries are left out; ask for fewer hours") }
      Node.table(
        Table(
          alignment: .words,
          rows: history.entries.map { [$0.at.rfc3339, $0.kind.rawValue, sentence(of: $0)] }))
    }
  }

  private static func sentence(of entry: HistoryDocument.Entry) -> String {
    if let latitude = entry.latitude, let longitude = entry.longitude {
      let place = Coordinate(clampingLatitude: latitude, wrappingLongitude: longitude)
      return LiveRow.place(Fix(time: nil, coordinate: place, horizontalAccuracy: entry.accuracy))
    }
    let app = entry.app.map { $0 + ": " } ?? ""
    let word = entry.kind == .receiver ? (entry.word ?? "") + ": " : ""
    return app + word + (entry.text ?? entry.word ?? "")
  }
}
