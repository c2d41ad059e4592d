// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import ServiceContract

// Theory
// ======
//
// An accelerometer is a folder of Linux's subsystem for industrial I/O, `iio:deviceN`
// (Documentation/ABI/testing/sysfs-bus-iio):
//
//   name                                   bmc150_accel
//   in_accel_x_raw, _y_, _z_               a reading; times in_accel_scale, or in_accel_x_scale, it is in m/s²
//   events/in_accel_x_roc_rising_en        1 has the chip watch for a kind of motion; the device's file then tells
//
// A kind of event is motion if it goes by change, not by a level, for gravity is always there: `roc` (rate of change),
// `mag_adaptive`, `mag_referenced`. Some drivers call high-passed motion `mag` (mma8452); it is taken if there is nothing
// better. Falling ones are free fall or rest. Thresholds stay as the driver, or the machine's owner, has set them.
//
// What can be used is seen without changing anything:
//
//   tells       the device's file can be read, and each switch is on already or can be written
//   is read     it has readings, and may be read once in a while
//   is refused  it tells, and this user may not have it

/// An accelerometer of this machine.
package struct Accelerometer: Sendable, Equatable {
  package enum Use: Sendable, Equatable {
    /// It tells of motion by itself.
    case tells
    /// It has readings alone.
    case isRead
    /// It would tell; why it does not, as a phrase.
    case isRefused(String)
  }

  /// As its driver calls it; its folder's name if that says nothing.
  package let name: String
  package let use: Use
  /// The file that tells of events.
  let device: String
  let folder: String
  /// The files that switch its events on.
  let switches: [String]

  package static let folder = "/sys/bus/iio/devices"
  package static let devices = "/dev"

  /// All accelerometers, those that tell first.
  package static func all(in folder: String = folder, devices: String = devices) -> [Self] {
    let found = Directory.names(in: folder).sorted().compactMap {
      Self(folder: "\(folder)/\($0)", device: "\(devices)/\($0)")
    }
    return found.filter { $0.use == .tells } + found.filter { $0.use != .tells }
  }

  /// The one for hints, and how often it is read: one that tells, else one that may be read every so many seconds; `nil`
  /// if there is none.
  static func chosen(among all: [Self], every seconds: Double) -> (Self, MotionSource)? {
    if let first = all.first, first.use == .tells { return (first, .init(name: first.name)) }
    guard seconds > 0, let readable = all.first(where: { $0.acceleration != nil }) else {
      return nil
    }
    return (readable, .init(name: readable.name, every: seconds))
  }

  /// `nil` for a device of another kind.
  private init?(folder: String, device: String) {
    let files = Set(Directory.names(in: folder))
    let events = Self.switches(among: Directory.names(in: folder + "/events"))
    let hasReadings = Self.axes.allSatisfy { files.contains("in_accel_\($0)_raw") }
    guard hasReadings || !events.isEmpty else { return nil }
    let word = SmallFile.text(of: folder + "/name").map { String($0.prefix { $0 != "\n" }) } ?? ""
    name = word.isEmpty ? String(folder.split(separator: "/").last ?? "") : word
    self.folder = folder
    self.device = device
    switches = events.map { "\(folder)/events/\($0)" }
    use = switches.isEmpty ? .isRead : Self.use(of: switches, device)
  }

  private static func use(of switches: [String], _ device: String) -> Use {
    guard access(device, R_OK) == 0 else { return .isRefused("\(device): \(SystemError.text())") }
    for file in switches where !isOn(file) && access(file, W_OK) != 0 {
      return .isRefused("\(file): \(SystemError.text())")
    }
    return .tells
  }

  static func isOn(_ file: String) -> Bool { SmallFile.text(of: file)?.first == "1" }

  /// The switches of the best kind of event, of all axes.
  static func switches(among files: [String]) -> [String] {
    for kind in ["_roc_", "_mag_adaptive_", "_mag_referenced_", "_mag_"] {
      let found = files.filter {
        $0.hasPrefix("in_accel_")
          && ($0.hasSuffix("\(kind)rising_en") || $0.hasSuffix("\(kind)either_en"))
      }
      if !found.isEmpty { return found.sorted() }
    }
    return []
  }

  private static let axes = ["x", "y", "z"]

  /// A reading, m/s²; `nil` if it cannot be read.
  var acceleration: SIMD3<Double>? {
    func number(_ file: String) -> Double? {
      SmallFile.text(of: "\(folder)/\(file)").flatMap { Double($0.prefix { $0 != "\n" }) }
    }
    let scale = number("in_accel_scale")
    var reading = SIMD3<Double>()
    for (index, axis) in Self.axes.enumerated() {
      guard let raw = number("in_accel_\(axis)_raw"),
        let scale = scale ?? number("in_accel_\(axis)_scale"), (raw * scale).isFinite
      else { return nil }
      reading[index] = raw * scale
    }
    return reading
  }
}

/// What readings say of motion.
struct Shaking: Sendable, Equatable {
  /// Readings of one burst, and seconds between them [ours]: a third of a second has some swings of a body on wheels,
  /// whose own frequencies are 1 Hz and, of the wheels, about 10 Hz.
  static let readings = 8
  static let pause = 0.045
  /// Metres per second squared [ours]: ten times the noise of a cheap chip (LIS3DH, 220 µg/√Hz over 50 Hz: 0.015 m/s²).
  static let least = 0.3

  /// The mean of the burst before.
  private var before: SIMD3<Double>?

  /// Takes a burst; returns whether something moved: it shakes, or lies otherwise than at the burst before.
  mutating func moves(_ burst: [SIMD3<Double>]) -> Bool {
    guard !burst.isEmpty else { return false }
    let mean = burst.reduce(SIMD3<Double>(), +) / Double(burst.count)
    defer { before = mean }
    return burst.contains { Self.length($0 - mean) >= Self.least }
      || before.map { Self.length(mean - $0) >= Self.least } == true
  }

  private static func length(_ vector: SIMD3<Double>) -> Double {
    (vector * vector).sum().squareRoot()
  }
}
