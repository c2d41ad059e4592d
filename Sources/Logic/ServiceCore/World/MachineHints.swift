// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// Theory
// ======
//
// Hints of this machine beside its modem's: what its accelerometer feels, whether its vehicle's ignition is on, and the
// Wi-Fi networks that it joins and leaves (HeardWiFi.swift). The policy may rely on a sensor's silence only while there is
// one, so an accelerometer that comes or goes makes the policy begin anew, as a modem does (CellWatch.swift). The restored
// engine knows what the last service relied on; that is believed until the machine says otherwise.
//
// A hint belongs to the look that begins next. A look that begins without one since the look before came by the clock.

/// What this machine's own senses say of a move.
struct MachineHints: Sendable, Equatable {
  enum Hint: Sendable, Equatable {
    case motion
    case ignition(isOn: Bool)
    case wifi(HeardWiFi.Change)
    case cell

    /// What it tells the engine; `nil` for a cell, which goes its own way there.
    var input: EngineInput? {
      switch self {
      case .motion: .motionBegan
      case .ignition(let isOn): .tripHint(.ignition(isOn: isOn))
      case .wifi(let change): .tripHint(.wifi(isJoined: change.isJoined))
      case .cell: nil
      }
    }
  }

  private struct Coming: Sendable, Equatable {
    let hint: Hint
    let at: EngineInstant
  }

  /// The sensor on which the policy relies; `nil` if there is none.
  private(set) var sensing: MotionSensing?
  private var name: String?
  private var wifi = HeardWiFi()
  private var last: Coming?
  private var look: Coming?

  /// `isWanted`: whether the machine's accelerometer is asked for.
  init(_ engine: LocationEngine, isWanted: Bool) {
    sensing = isWanted && engine.senses.contains(.motion) ? engine.policy.settings.motion : nil
  }

  /// Takes the machine's word on its accelerometer; returns what to say if that changes what the policy relies on.
  mutating func found(_ sensor: MotionSource?, on device: DeviceProfile) -> String? {
    name = sensor?.name
    let before = sensing
    sensing = sensor.map { sensor in
      sensor.every.map { .sampled(every: $0) } ?? device.motionSensing ?? .usual
    }
    guard sensing != before else { return nil }
    return sensor.map { "hints of a move come from \($0.words)" }
      ?? "no accelerometer tells of motion now: the policy goes on without"
  }

  /// A hint came, which has woken the machine, and goes to the engine.
  mutating func came(_ hint: Hint, _ meter: inout ServiceMeter, _ step: inout Step) {
    note(hint, at: step.now.at)
    meter.record(.wake, at: step.now.at)
    if let input = hint.input { step.tellEngine(input) }
  }

  /// The machine's traffic goes over this Wi-Fi network, or over none.
  mutating func read(wifi name: String?, _ meter: inout ServiceMeter, _ step: inout Step) {
    guard let change = wifi.read(name, at: step.now.at) else { return }
    came(.wifi(change), &meter, &step)
  }

  /// The receiver sees where the machine is.
  mutating func saw(_ place: Coordinate) { wifi.saw(place) }

  /// A hint comes at this instant; the modem's goes its own way to the engine, and is metered there.
  mutating func note(_ hint: Hint, at now: EngineInstant) { last = Coming(hint: hint, at: now) }

  /// The receiver is switched on.
  mutating func looked() {
    (look, last) = (last, nil)
  }

  /// What made the receiver look last, `the last look followed a hint 3 min ago: the accelerometer felt motion`;
  /// `nil` if there was none.
  func words(at now: EngineInstant) -> String? {
    look.map {
      let ago = Figures.span(max(0, EngineInstant.seconds(from: $0.at, to: now)))
      return "the last look followed a hint \(ago) ago: \(words(of: $0.hint))"
    }
  }

  private func words(of hint: Hint) -> String {
    switch hint {
    case .motion: "the accelerometer\(name.map { " \(Quoted.plain($0))" } ?? "") felt motion"
    case .ignition(isOn: true): "the vehicle's power came on"
    case .ignition(isOn: false): "the vehicle's power went"
    case .wifi(.joined(let name)): "the Wi-Fi network \(Quoted.plain(name)) was joined"
    case .wifi(.left(let name)): "the Wi-Fi network \(Quoted.plain(name)) was left"
    case .cell: "the modem changed its cell"
    }
  }
}
