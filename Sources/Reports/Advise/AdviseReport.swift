// SPDX-License-Identifier: Apache-2.0

package import Replay

/// What a sweep over the user's traces came to, with what the user can afford.
package struct AdviseReport: Sendable {
  /// Names of the traces, and whether each is its own truth.
  package let traces: [(name: String, isOwnTruth: Bool)]
  package let sweep: Sweep
  package let front: ParetoFront
  package let limits: AdviceLimits
  package let options: ReplayOptions

  package init(
    traces: [(name: String, isOwnTruth: Bool)], sweep: Sweep, limits: AdviceLimits,
    options: ReplayOptions
  ) {
    self.traces = traces
    self.sweep = sweep
    self.limits = limits
    self.options = options
    front = ParetoFront(sweep)
    votes = sweep.worlds.indices.map { world in
      let front = ParetoFront(sweep, world: world)
      return limits.choice(of: front).map { front.front[$0].name }
    }
  }

  /// What each world by itself would recommend; `nil` where nothing keeps the limits.
  private let votes: [String?]

  /// In how many worlds the recommendation is the same.
  package var agreesIn: Int { votes.count { $0 == recommended?.name } }

  /// What other worlds say.
  package struct Vote: Sendable {
    /// `nil` where nothing keeps the limits.
    package let name: String?
    package let worlds: Int
  }

  /// What the other worlds say, the most frequent first.
  package var otherwise: [Vote] {
    var counts: [String?: Int] = [:]
    for vote in votes where vote != recommended?.name { counts[vote, default: 0] += 1 }
    return counts.map { Vote(name: $0.key, worlds: $0.value) }
      .sorted { ($1.worlds, $0.name ?? "") < ($0.worlds, $1.name ?? "") }
  }

  private var index: Int? { limits.choice(of: front) }

  /// The recommended place of the front; `nil` where none keeps the limits.
  package var recommended: ParetoFront.Place? { index.map { front.front[$0] } }

  /// The neighbours of the recommended one: the next cheaper and the next dearer.
  var neighbours: (cheaper: ParetoFront.Place?, dearer: ParetoFront.Place?) {
    guard let index else { return (nil, nil) }
    let places = front.front
    return (
      index > 0 ? places[index - 1] : nil, index + 1 < places.count ? places[index + 1] : nil
    )
  }
}
