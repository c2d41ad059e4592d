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
