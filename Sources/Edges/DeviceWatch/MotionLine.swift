// SPDX-License-Identifier: Apache-2.0

import CUnix
import Glibc
import Host
import ServiceContract

/// An accelerometer at work, on the watch's own thread: performs what `MotionWatch` says.
struct MotionLine {
  private let sensor: Accelerometer
  private let open: (String) -> Int32
  private var watch: MotionWatch
  private var shaking = Shaking()
  /// Its events; below 0 while it is not armed, or does not tell.
  private var events: Int32 = -1
  /// The switches that this has put on.
  private var switched: [String] = []

  /// `open` returns the descriptor of a device's events.
  init(_ sensor: Accelerometer, _ motion: MotionSource, open: @escaping (String) -> Int32) {
    self.sensor = sensor
    self.open = open
    watch = MotionWatch(every: motion.every)
  }

  /// No events, for `poll`.
  static let none = pollfd(fd: -1, events: 0, revents: 0)

  var deadline: Double? { watch.deadline }

  /// For `poll`, which ignores a descriptor below 0.
  var entry: pollfd {
    pollfd(fd: watch.state == .listening ? events : -1, events: Int16(POLLIN), revents: 0)
  }

  /// Arms or disarms it; returns why it cannot be armed, as a phrase.
  mutating func arm(_ isOn: Bool, at now: Double) -> String? {
    guard watch.arm(isOn, at: now) else { return nil }
    guard isOn else {
      close()
      return nil
    }
    guard watch.state == .listening else { return nil }
    events = open(sensor.device)
    guard events >= 0 else { return "\(sensor.device): \(SystemError.text())" }
    for file in sensor.switches where !Accelerometer.isOn(file) {
      guard SmallFile.write("1", to: file) else {
        // Some chips watch fewer axes at a time than they have.
        if !switched.isEmpty { break }
        return "\(file): \(SystemError.text())"
      }
      switched.append(file)
    }
    return nil
  }

  /// Takes the outcome of `poll`; returns whether motion is told, `nil` if the sensor has gone.
  mutating func followPoll(_ entry: pollfd, at now: Double) -> Bool? {
    if watch.passed(to: now) { return readBurst().map { shaking.moves($0) } }
    guard entry.fd >= 0, entry.revents != 0 else { return false }
    guard entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) == 0, drain() else { return nil }
    return watch.stirred(at: now)
  }

  /// Takes all waiting events, each of 16 bytes (linux/iio/events.h); `false` if the device has gone.
  private func drain() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16 * 64)
    let count = read(events, &buffer, buffer.count)
    return count > 0 || count < 0 && [EAGAIN, EINTR].contains(errno)
  }

  private func readBurst() -> [SIMD3<Double>]? {
    var burst: [SIMD3<Double>] = []
    for index in 0..<Shaking.readings {
      if index > 0 { poll(nil, 0, Int32(Shaking.pause * 1_000)) }
      guard let reading = sensor.acceleration else { return nil }
      burst.append(reading)
    }
    return burst
  }

  /// Puts its switches back.
  mutating func close() {
    for file in switched { SmallFile.write("0", to: file) }
    switched = []
    if events >= 0 { Glibc.close(events) }
    events = -1
  }
}
