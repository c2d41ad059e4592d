// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
import Geodesy
import JSONText
import LocationModel

/// `milepost history` for people.
package enum HistoryText {
  package static func text(history: HistoryDocument) -> String {
    guard !history.entries.isEmpty else { return "nothing is kept of this time\n" }
    let cut = history.isCut ? "older entries are left out; ask for fewer hours\n" : ""
    let width = history.entries.map(\.kind.rawValue.count).max() ?? 0
    return cut
      + history.entries.map { entry in
        let kind = entry.kind.rawValue
        let blanks = String(repeating: " ", count: width - kind.count)
        return "\(entry.at.rfc3339)  \(kind)\(blanks)  \(Quoted.plain(sentence(of: entry)))\n"
      }.joined()
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
