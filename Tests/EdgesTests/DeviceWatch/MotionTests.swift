// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ServiceContract
import Synchronization
import Testing

@testable import DeviceWatch

@Suite("Motion that an accelerometer feels")
struct MotionTests {
  /// A folder that stands for /sys/bus/iio/devices and /dev.
  private final class Machine: Sendable {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "milepost-motion-\(UUID().uuidString.prefix(8))")
    let heard = Mutex<[MachineEvent]>([])

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ text: String, _ path: String) throws {
      let file = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      // In place: the kernel's files are not replaced.
      if FileManager.default.createFile(atPath: file.path, contents: Data(text.utf8)) { return }
      throw CocoaError(.fileWriteUnknown)
    }

    func text(_ path: String) -> String? {
      try? String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }

    /// A chip as its driver shows it, with readings in units of `scale` m/s², and these switches.
    func plug(_ number: Int, _ name: String, switches: [String] = [], hasDevice: Bool = true)
      throws
    {
      let device = "sensors/iio:device\(number)"
      try write(name + "\n", device + "/name")
      try write("0.009580\n", device + "/in_accel_scale")
      for (axis, raw) in [("x", 12), ("y", -3), ("z", 1_023)] {
        try write("\(raw)\n", "\(device)/in_accel_\(axis)_raw")
      }
      for file in switches { try write("0\n", "\(device)/events/\(file)") }
      if hasDevice { try write("", "dev/iio:device\(number)") }
    }

    var paths: DeviceWatch.Paths {
      var paths = DeviceWatch.Paths()
      paths.supplies = folder.path + "/supplies"
      paths.sensors = folder.path + "/sensors"
      paths.devices = folder.path + "/dev"
      return paths
    }

    func watch(every seconds: Double = 0, events: Int32 = -1) -> DeviceWatch {
      DeviceWatch(
        memory: false, battery: false, motionSample: seconds, paths: paths,
        events: { _ in events }
      ) { event in self.heard.withLock { $0.append(event) } }
    }

    var events: [MachineEvent] { heard.withLock { $0 } }

    func wait(for count: Int) { for _ in 0..<10_000 where events.count < count { poll(nil, 0, 1) } }

    var accelerometers: [Accelerometer] {
      Accelerometer.all(in: paths.sensors, devices: paths.devices)
    }
  }

  private static let axes = ["x", "y", "z"].map { "in_accel_\($0)_roc_rising_en" }

  // Names from Documentation/ABI/testing/sysfs-bus-iio, and of its drivers.
  @Test("Events of change are switched on, of all axes; not levels, free fall, or other quantities")
  func switches() {
    #expect(
      Accelerometer.switches(
        among: Self.axes + ["in_accel_mag_adaptive_rising_en", "in_accel_x_roc_rising_value"])
        == Self.axes)
    #expect(
      Accelerometer.switches(among: [
        "in_accel_x|y|z_mag_referenced_rising_en", "in_accel_x&y&z_mag_referenced_falling_en",
      ]) == ["in_accel_x|y|z_mag_referenced_rising_en"])
    #expect(
      Accelerometer.switches(among: ["in_accel_x_roc_either_en"]) == ["in_accel_x_roc_either_en"])
    #expect(
      Accelerometer.switches(among: [
        "in_accel_x_thresh_rising_en", "in_anglvel_x_roc_rising_en", "in_accel_x_mag_falling_en",
        "in_proximity_thresh_either_en",
      ]).isEmpty)
  }

  @Test("One that tells goes before one that only has readings; a light sensor is none")
  func survey() throws {
    let machine = Machine()
    #expect(machine.accelerometers.isEmpty)
    try machine.plug(0, "lis3dh_accel")
    try machine.plug(1, "bmc150_accel", switches: Self.axes)
    try machine.write("als\n", "sensors/iio:device2/name")
    try machine.write("7\n", "sensors/iio:device2/in_illuminance_raw")
    try machine.plug(3, "adxl367", switches: ["in_accel_x_roc_rising_en"], hasDevice: false)
    let found = machine.accelerometers
    #expect(found.map(\.name) == ["bmc150_accel", "lis3dh_accel", "adxl367"])
    #expect(found.prefix(2).map(\.use) == [.tells, .isRead])
    guard case .isRefused(let why) = found[2].use else { throw CocoaError(.coderInvalidValue) }
    #expect(why.hasSuffix("/dev/iio:device3: No such file or directory"))
    // 1023 · 0.00958 m/s² = 9.80.
    #expect(try #require(found[1].acceleration).z.rounded() == 10)
    #expect(Accelerometer.chosen(among: found, every: 60)?.1 == .init(name: "bmc150_accel"))
    #expect(
      Accelerometer.chosen(among: Array(found.dropFirst()), every: 60)?.1
        == .init(name: "lis3dh_accel", every: 60))
    #expect(Accelerometer.chosen(among: Array(found.dropFirst()), every: 0) == nil)
  }

  /// A watch whose answers can be expected.
  private final class Watched {
    var watch: MotionWatch
    init(every: Double?) { watch = MotionWatch(every: every) }
    func arms(_ isOn: Bool, _ now: Double) -> Bool { watch.arm(isOn, at: now) }
    func tells(_ now: Double) -> Bool { watch.stirred(at: now) }
    func reads(_ now: Double) -> Bool { watch.passed(to: now) }
    var deadline: Double? { watch.deadline }
  }

  @Test("One that tells is heard once in its window; while it is still there is no deadline")
  func windows() {
    let sensor = Watched(every: nil)
    #expect(sensor.deadline == nil && !sensor.tells(0))
    #expect(sensor.arms(true, 0) && !sensor.arms(true, 0))
    #expect(sensor.watch.state == .listening && sensor.deadline == nil)
    #expect(sensor.tells(100))
    #expect(!sensor.tells(101) && sensor.deadline == 110)
    #expect(!sensor.reads(109) && !sensor.tells(109))
    #expect(!sensor.reads(110) && sensor.tells(110), "a ride is told in each window")
    #expect(sensor.arms(false, 111) && sensor.deadline == nil)
  }

  @Test("One that is read is read once in its period, and only while motion is wanted")
  func periods() {
    let sensor = Watched(every: 60)
    #expect(!sensor.reads(1_000) && sensor.deadline == nil)
    #expect(sensor.arms(true, 1_000) && sensor.deadline == 1_060)
    #expect(!sensor.reads(1_059) && sensor.reads(1_060) && sensor.deadline == 1_120)
    #expect(sensor.arms(false, 1_100) && !sensor.reads(1_200))
  }

  @Test("A burst moves that shakes, or that lies otherwise than the one before")
  func bursts() {
    var shaking = Shaking()
    func moves(_ burst: [SIMD3<Double>]) -> Bool { shaking.moves(burst) }
    let still = [SIMD3(0.11, -0.03, 9.80), SIMD3(0.12, -0.02, 9.81), SIMD3(0.10, -0.04, 9.79)]
    #expect(!moves(still) && !moves(still))
    #expect(!moves([]))
    #expect(moves(still + [SIMD3(0.11, 0.5, 9.80)]), "a jolt of half a metre per s²")
    #expect(!moves(still))
    // Turned by 5 degrees: 9.81 · sin 5° = 0.85.
    #expect(moves([SIMD3(0.96, -0.03, 9.77)]))
  }

  @Test("Armed, its switches are on and its events are told; disarmed or closed, they are off")
  func told() async throws {
    let machine = Machine()
    try machine.plug(0, "bmc150_accel", switches: Self.axes)
    let switches = Self.axes.map { "sensors/iio:device0/events/\($0)" }
    // One axis is on by its owner's doing, and stays so.
    try machine.write("1\n", switches[2])
    var ends: [Int32] = [0, 0]
    #expect(
      socketpair(
        AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0,
        &ends) == 0)
    let watch = machine.watch(events: ends[0])
    watch.start(pressure: -1, uevents: -1)
    #expect(
      machine.events == [.externalPower(nil), .motionSensor(.init(name: "bmc150_accel"))])
    #expect(switches.map { machine.text($0)?.first } == ["0", "0", "1"])
    watch.armMotion(true)
    for _ in 0..<10_000 where machine.text(switches[1])?.first != "1" { poll(nil, 0, 1) }
    #expect(switches.map { machine.text($0)?.first } == ["1", "1", "1"])
    let event = [UInt8](repeating: 7, count: 16)
    for _ in 0..<3 { #expect(send(ends[1], event, event.count, 0) == event.count) }
    machine.wait(for: 3)
    #expect(machine.events.last == .motionFelt)
    watch.armMotion(false)
    for _ in 0..<10_000 where machine.text(switches[1])?.first != "0" { poll(nil, 0, 1) }
    #expect(switches.map { machine.text($0)?.first } == ["0", "0", "1"])
    await watch.close()
    #expect(machine.events.count == 3, "once in a window")
    close(ends[1])
  }

  @Test("One whose device goes is said to be gone, and nothing more is heard")
  func gone() async throws {
    let machine = Machine()
    try machine.plug(0, "bmc150_accel", switches: Self.axes)
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let watch = machine.watch(events: ends[0])
    watch.start(pressure: -1, uevents: -1)
    watch.armMotion(true)
    close(ends[1])
    machine.wait(for: 4)
    await watch.close()
    #expect(
      machine.events.suffix(2) == [
        .trouble("the accelerometer tells nothing any more: it does not answer"),
        .motionSensor(nil),
      ])
  }

  @Test("One that only has readings is read in its period, and told where it has moved")
  func read() async throws {
    let machine = Machine()
    try machine.plug(0, "lis3dh_accel")
    let watch = machine.watch(every: 0.01)
    watch.start(pressure: -1, uevents: -1)
    #expect(
      machine.events.last == .motionSensor(.init(name: "lis3dh_accel", every: 0.01)))
    watch.armMotion(true)
    poll(nil, 0, 1_000)
    #expect(machine.events.count == 2, "it lies still")
    try machine.write("300\n", "sensors/iio:device0/in_accel_x_raw")
    machine.wait(for: 3)
    await watch.close()
    #expect(machine.events[2] == .motionFelt)
  }

  @Test("Without one, and without leave to use it, it is off, and that is said")
  func absent() async throws {
    let machine = Machine()
    let none = machine.watch(every: 60)
    none.start(pressure: -1, uevents: -1)
    none.armMotion(true)
    await none.close()
    #expect(machine.events == [.externalPower(nil), .motionSensor(nil)])
    try machine.plug(0, "adxl367", switches: Self.axes, hasDevice: false)
    let refused = machine.watch()
    refused.start(pressure: -1, uevents: -1)
    await refused.close()
    guard case .trouble(let words)? = machine.events.dropFirst(3).first else {
      throw CocoaError(.coderInvalidValue)
    }
    #expect(words.hasPrefix("the accelerometer adxl367 may not be told to watch for motion: "))
    #expect(machine.events.last == .motionSensor(nil))
  }
}
