// SPDX-License-Identifier: Apache-2.0

package import LocationModel

extension AppLifecycle {
  /// The same life as if `now` were the beginning of the axis: two lives that are equal in this go on
  /// equally.
  package func relative(to now: EngineInstant) -> Self {
    var life = self
    switch phase {
    case .notRunning, .inactive, .active: break
    case .background(let time): life.phase = .background(time.relative(to: now))
    case .suspended(let since): life.phase = .suspended(since: since.relative(to: now))
    case .exiting(let until, let state):
      life.phase = .exiting(until: until.relative(to: now), in: state)
    }
    return life
  }
}
