// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import RadioWorld
import Scoring

extension Run {
  /// The truth goes on by a stride of several seconds.
  mutating func take(_ stride: Stride, _ scene: World.Scene) {
    var latest = stride.before.truth.at
    while let next = secondToSee(after: latest, in: stride), next < stride.end {
      let sample = stride.sample(at: next, after: latest)
      let place = LocalFrame(origin: sample.truth.coordinate)
      take(sample, World.Scene(step: .sample(sample.truth), place: place, events: []))
      latest = next
    }
    take(stride.end(after: latest), scene)
  }

  // A run is large: what asks it is `mutating`, although it changes nothing, and so asks it in place.

  /// The next second of a stride in which something may happen; `nil` where nothing will.
  private mutating func secondToSee(
    after latest: EngineInstant, in stride: Stride
  ) -> EngineInstant? {
    let next = latest.advanced(bySeconds: 1)
    guard isSteady() else { return next }
    var first = nextHint(after: latest, in: stride)
    if let due = nextDeadline {
      let seconds = EngineInstant.seconds(from: latest, to: due).rounded(.up)
      first = .earlier(first, max(next, latest.advanced(bySeconds: seconds)))
    }
    return first
  }

  /// The next hint that is listened to.
  private mutating func nextHint(
    after latest: EngineInstant, in stride: Stride
  ) -> EngineInstant? {
    let listens = causal == nil ? engine.triggers : [.cells, .motion]
    guard !listens.isEmpty, !stride.hints.isEmpty else { return nil }
    var cell = stride.before.cell
    for hint in stride.hints {
      let isHeard =
        hint.isMotion && listens.contains(.motion)
        || hint.cell != cell && listens.contains(.cells)
      if isHeard, hint.at > latest { return hint.at }
      cell = hint.cell
    }
    return nil
  }

  /// Whether the receiver is off, or has the same to tell each second.
  private mutating func isSteady() -> Bool {
    guard causal?.isSteady ?? true else { return false }
    switch receiver.phase {
    case .off: return true
    case .acquiring, .searching: return false
    case .tracking:
      return receiver.isInUse && options.uploads.isByTheClock && engine.takesEveryFix
    }
  }
}
