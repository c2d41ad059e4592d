// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceCore
import Wording

/// Programs that ask GeoClue, in `milepost status`.
enum GeoClueText {
  static func text(_ part: StatusDocument.GeoClue) -> String {
    var text = LiveRow.text("geoclue", part.text)
    for program in part.programs {
      var words = "\(program.name) asks for \(program.level): \(asks(program))"
      words += "; told \(Figures.count(program.deliveries, "location", "locations"))"
      if let last = program.lastDelivery { words += ", the last \(last.rfc3339)" }
      words += "; its share \(Figures.energy(program.energy))"
      if program.clients == 0 { words += "; asks no more" }
      text += LiveRow.text("", words)
    }
    return text
  }

  private static func asks(_ program: StatusDocument.GeoClue.Program) -> String {
    switch program.asks {
    case .follows: "the receiver stays off for it"
    case .significant: "significant changes"
    case .standard:
      program.distance == 0 ? "every fix" : "every \(program.distance) m"
    }
  }
}
