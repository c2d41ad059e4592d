// SPDX-License-Identifier: Apache-2.0

// The application processor: three states set by records, and four impulses.
//
//      suspended ⇄ awake_idle ⇄ active
//
// - Suspended is the floor, so it costs nothing above it.
// - An impulse is a number of seconds at the active power: an app's launch, its wake, the delivery of
//   one position (20 ms), a change of cell that the modem reports (0.2 s). It adds to the processor's
//   present state; the few milliwatts of idling that are counted twice meanwhile lie far inside the
//   range, and sums stay sums. Impulses are only counted here; a delivery must cost next to nothing.
// - *Moving*: what a phone spends around its parts. While the processor is held and the phone moves, its location
//   daemon, its sensors and what else wakes with them draw so many milliwatts more (`soc,moving`).

/// The processor's times by state and its impulses by kind.
struct Processor: Sendable, Equatable {
  private var state: Activity.SoCState = .suspended
  private var now: Int64 = 0
  private(set) var awake: Int64 = 0
  private(set) var active: Int64 = 0
  /// Awake, or active, while the device moves.
  private(set) var moving: Int64 = 0
  private var moves = false
  var launches = 0
  var wakes = 0
  var deliveries = 0
  var cellWakes = 0

  mutating func advance(to instant: Int64) {
    switch state {
    case .suspended: break
    case .awakeIdle: awake += instant - now
    case .active: active += instant - now
    }
    if moves, state != .suspended { moving += instant - now }
    now = instant
  }

  /// Notes that the device moves, or lies still.
  mutating func move(_ moves: Bool, at instant: Int64) {
    advance(to: instant)
    self.moves = moves
  }

  mutating func enter(_ next: Activity.SoCState, at instant: Int64) {
    advance(to: instant)
    state = next
  }
}

// The motion sensor: a power while it is armed. Flash: an energy for each commit.

/// A switch that is on or off.
struct Switch: Sendable, Equatable {
  private var isOn = false
  private var now: Int64 = 0
  private(set) var time: Int64 = 0

  mutating func advance(to instant: Int64) {
    if isOn { time += instant - now }
    now = instant
  }

  mutating func set(_ on: Bool, at instant: Int64) {
    advance(to: instant)
    isOn = on
  }
}
