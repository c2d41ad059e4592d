// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel

extension PlaceEvent {
  /// The event at a region or a place: `entered the region 'home'`.
  package var words: String {
    switch self {
    case .entered(let region): "entered the region '\(region)'"
    case .exited(let region): "left the region '\(region)'"
    case .arrived(let visit):
      "arrived at a place" + (visit.arrival.map { " at \($0.rfc3339)" } ?? "")
    case .departed(let visit):
      "departed from a place" + (visit.departure.map { " at \($0.rfc3339)" } ?? "")
    }
  }
}

extension Verdict {
  /// A judgement for a region: `too close (120 m of 200 m beyond its border, accuracy 5 m)`, and
  /// `(300 m before its border …)` on the side on which the app believes the device to be.
  package var borderWords: String {
    Names.words(outcome.rawValue) + (borderNumbers.isEmpty ? "" : " (\(borderNumbers))")
  }

  /// The numbers in it; empty if none decided.
  package var borderNumbers: String {
    var parts: [String] = []
    if let moved {
      let needed = movedRequired.map { " of \(Figures.whole($0)) m" } ?? ""
      parts.append(
        moved < 0
          ? "\(Figures.whole(-moved)) m before its border"
          : "\(Figures.whole(moved)) m\(needed) beyond its border")
    }
    if let since, let sinceRequired {
      parts.append("for \(Figures.whole(since)) s of \(Figures.whole(sinceRequired)) s")
    }
    if let accuracy { parts.append("accuracy \(Figures.whole(accuracy)) m") }
    return parts.joined(separator: ", ")
  }
}

extension Explanation.Region {
  /// `inside the region 'home'; the last fix: too close (120 m of 200 m beyond its border, accuracy 5 m)`.
  package func words(_ verdict: Verdict?) -> String {
    let place =
      switch state {
      case .inside: "inside the region '\(region.identifier)'"
      case .outside: "outside the region '\(region.identifier)'"
      case .unknown: "no fix has said on which side of the region '\(region.identifier)' it is"
      }
    guard let verdict, verdict.outcome != .delivered else { return place + silent }
    return "\(place)\(silent); the last fix: \(verdict.borderWords)"
  }

  /// States that the region does not ask for the event; empty if it does.
  private var silent: String {
    switch state {
    case .inside where !region.notifiesOnExit: ", which does not ask for exits"
    case .outside where !region.notifiesOnEntry: ", which does not ask for entries"
    case .inside, .outside, .unknown: ""
    }
  }
}
