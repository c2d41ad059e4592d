// SPDX-License-Identifier: Apache-2.0

package import Replay

/// What a sweep over the user's traces came to, with what the user can afford.
package struct AdviseReport: Sendable {
  /// Names of the traces, and whether each is its own truth.
  package let traces: [(name: String, isOwnTruth: Bool)]
  package let sweep: Sweep
  package let front: Front
  package let wish: Wish
  package let options: ReplayOptions

  package init(
    traces: [(name: String, isOwnTruth: Bool)], sweep: Sweep, wish: Wish, options: ReplayOptions
  ) {
    self.traces = traces
    self.sweep = sweep
    self.wish = wish
    self.options = options
    front = Front(sweep)
  }

  private var index: Int? { wish.choice(of: front) }

  /// The recommended place of the front; `nil` where none fulfils the wish.
  package var recommended: Front.Place? { index.map { front.front[$0] } }

  /// The neighbours of the recommended one: the next cheaper and the next dearer.
  var neighbours: (cheaper: Front.Place?, dearer: Front.Place?) {
    guard let index else { return (nil, nil) }
    let places = front.front
    return (
      index > 0 ? places[index - 1] : nil, index + 1 < places.count ? places[index + 1] : nil
    )
  }
}
