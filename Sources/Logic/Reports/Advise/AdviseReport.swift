// SPDX-License-Identifier: Apache-2.0

package import Replay

/// The results of configurations over the user's traces, with the user's limits.
///
/// It is a comparison with other rows: its events, figures and words are those of `ComparedTrace`.
package struct AdviseReport: Sendable {
  /// Names of the traces, and whether each is its own truth.
  package let traces: [(name: String, isOwnTruth: Bool)]
  /// All traces together, with a row for each configuration.
  package let compared: ComparedTrace
  package let configurations: [Configuration]
  /// A purpose about events.
  package let purpose: Purpose
  package let front: ParetoFront
  package let limits: AdviceLimits
  package let options: ReplayOptions

  /// The purposes about events, which are known late or in time.
  package static let purposes = [Purpose.arrival, .fence]

  /// `compared` is at least one trace, each with a row for each of the configurations; `nil` without one.
  package init?(
    _ compared: [ComparedTrace], _ configurations: [Configuration], for purpose: Purpose,
    limits: AdviceLimits, options: ReplayOptions
  ) {
    guard var total = ComparedTrace(totalOf: compared) else { return nil }
    total.assess(options)
    traces = compared.map { ($0.name, $0.truth == "trace") }
    self.compared = total
    self.configurations = configurations
    self.purpose = purpose
    self.limits = limits
    self.options = options
    front = ParetoFront(total, configurations, for: purpose)
    votes = (0..<total.worldCount).map { world in
      let front = ParetoFront(total, configurations, for: purpose, world: world)
      return limits.choice(of: front).map { front.front[$0].name }
    }
  }

  /// The recommendation of each world alone; `nil` if nothing keeps the limits.
  private let votes: [String?]

  package var worlds: Int { votes.count }

  /// The number of worlds with the same recommendation.
  package var agreesIn: Int { votes.count { $0 == recommended?.name } }

  /// Whether other worlds would agree, as for an answer.
  package var isSure: Bool { worlds > 1 && 20 * (worlds - agreesIn) <= worlds }

  /// The recommendation of other worlds.
  package struct Vote: Sendable {
    /// `nil` if nothing keeps the limits.
    package let name: String?
    package let worlds: Int
  }

  /// The other worlds' recommendations, the most frequent first.
  package var otherwise: [Vote] {
    var counts: [String?: Int] = [:]
    for vote in votes where vote != recommended?.name { counts[vote, default: 0] += 1 }
    return counts.map { Vote(name: $0.key, worlds: $0.value) }
      .sorted { ($1.worlds, $0.name ?? "") < ($0.worlds, $1.name ?? "") }
  }

  private var index: Int? { limits.choice(of: front) }

  /// The recommended place of the front; `nil` if none keeps the limits.
  package var recommended: ParetoFront.Place? { index.map { front.front[$0] } }

  /// The neighbours of the recommended place: the next cheaper and the next dearer.
  var neighbours: (cheaper: ParetoFront.Place?, dearer: ParetoFront.Place?) {
    guard let index else { return (nil, nil) }
    let places = front.front
    return (
      index > 0 ? places[index - 1] : nil, index + 1 < places.count ? places[index + 1] : nil
    )
  }

  /// The configurations, from the cheapest of the front to the dearest, then the beaten ones.
  var places: [AdvisedPlace] {
    (front.front + front.others).map {
      AdvisedPlace(place: $0, judged: compared.judged, purpose: purpose)
    }
  }
}
