// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower

/// The hints that a device can hear in a second of the world, with or without listeners.
struct DeviceSensors: Sendable {
  private let cellEvents: DeviceProfile.CellEvents
  private let hasMotionSensor: Bool
  private var cell: CellID?

  struct Hint: Sendable, Equatable {
    /// The new cell, if the modem camps on another one and tells the processor.
    var cell: CellID?
    /// Windows in which the motion sensor fired.
    var windows = 0

    var isMotion: Bool { windows > 0 }
    var isCell: Bool { cell != nil }
  }

  /// Seconds between the paging occasions of a modem in eDRX, the only times at which it reports a
  /// new cell (3GPP TS 24.008, table 10.5.5.32).
  private static let pagingCycle = 81.92

  init(_ device: DeviceProfile) {
    cellEvents = device.cellEvents
    hasMotionSensor = device.hasMotionSensor
  }

  /// Whether it has any sensor of hints.
  var hears: Bool { hasMotionSensor || cellEvents != .none }

  /// Takes a second or a stride; the first cell is no change.
  mutating func hear(_ sample: WorldSample, at now: EngineInstant) -> Hint {
    hear(sample.cell, felt: sample.felt, seconds: sample.truth.seconds, at: now)
  }

  /// Takes consecutive seconds, up to the first one with a hint that is `heard`; returns its number, or the end.
  mutating func pass(
    _ seconds: WorldSeconds, _ range: Range<Int>, until heard: Triggers
  ) -> Int {
    // Only a modem in eDRX may report a cell that it has camped on for a while.
    guard cellEvents == .edrx else {
      for number in seconds.newsworthy where range.contains(number) {
        if hears(seconds, number, heard) { return number }
      }
      return range.upperBound
    }
    for number in range where hears(seconds, number, heard) { return number }
    return range.upperBound
  }

  private mutating func hears(_ seconds: WorldSeconds, _ number: Int, _ heard: Triggers) -> Bool {
    // By member: a sample is large.
    let hint = hear(
      seconds.samples[number].cell, felt: seconds.samples[number].felt,
      seconds: seconds.samples[number].truth.seconds, at: seconds.samples[number].truth.at)
    return hint.isCell && heard.contains(.cells) || hint.isMotion && heard.contains(.motion)
  }

  private mutating func hear(_ next: CellID, felt: Int, seconds: Int, at now: EngineInstant) -> Hint
  {
    var hint = Hint(windows: hasMotionSensor ? felt : 0)
    guard let camped = cell else {
      cell = next
      return hint
    }
    if next != camped, isPaged(at: now, in: Double(seconds)) {
      cell = next
      hint.cell = next
    }
    return hint
  }

  /// Whether it was paged in the latest `seconds`.
  private func isPaged(at now: EngineInstant, in seconds: Double) -> Bool {
    switch cellEvents {
    case .awake: true
    case .edrx: now.seconds.truncatingRemainder(dividingBy: Self.pagingCycle) < seconds
    case .none: false
    }
  }
}
