// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel

extension Run {
  /// Lives through a stride of several seconds.
  mutating func live(through stride: Stride) {
    var latest = stride.before.truth.at
    while let next = secondToSee(after: latest, in: stride), next < stride.end {
      live(through: stride.sample(at: next, after: latest))
      latest = next
    }
    live(
      through: latest == stride.before.truth.at ? stride.after : stride.end(after: latest),
      stride.events)
  }

  // A run is large: its queries are `mutating`, although they change nothing, and so run in place.

  /// The next second of a stride in which something may happen; `nil` if nothing will.
  private mutating func secondToSee(
    after latest: EngineInstant, in stride: Stride
  ) -> EngineInstant? {
    let next = latest.advanced(bySeconds: 1)
    guard isSteady() else { return next }
    let listens = judges.judgesReach ? [.cells, .motion] : engine.triggers
    let hint = stride.nextHint(
      after: latest, cells: listens.contains(.cells), motion: listens.contains(.motion))
    guard let due = nextDeadline, due <= stride.end else { return hint }
    if listens.contains(.motion), let window = stride.lastWindow(after: latest, upTo: due) {
      return .earlier(hint, window)
    }
    let seconds = EngineInstant.seconds(from: latest, to: due).rounded(.up)
    return .earlier(hint, max(next, latest.advanced(bySeconds: seconds)))
  }

  /// Whether the receiver is off, or reports the same each second.
  private mutating func isSteady() -> Bool {
    guard judges.isSteady else { return false }
    switch receiver.phase {
    case .off: return true
    case .acquiring, .searching: return false
    case .tracking:
      return receiver.isInUse && options.uploads.isByTheClock && engine.takesEveryFix
    }
  }
}
