// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// A receiver on a serial line, from its maker's documents and without a word of Milepost's own table of commands. It has
// no clock: whoever plays it says the seconds, on any scale.
//
//                 command to sleep             its timer, or a byte where that wakes it
//   acquiring ───────────────────────► asleep ─────────────────────────────────────────► acquiring
//       │ ▲                              ▲
//       ▼ │ supply cut and back          │ command to sleep
//   tracking ────────────────────────────┘
//
// - Each state has its power, and its account adds up power times seconds.
// - A start is hot while the ephemeris is younger than 4 h and the supply was not cut (u-blox text in PX4 pull request
//   11504), else cold.
// - The bytes that wake it are lost (UBX-20053088 2.7.3.2: the receiver starts anew).
// - It refuses, as a real one does: a frame whose checksum is wrong; UBX-RXM-PMREQ without the backup bit, with another
//   length than its protocol knows (16 bytes from version 18 on), or while it is itself the USB device and the force bit
//   is not set (UBX-18010854 5.15.2). A duration of 0 is for ever.
// - Others speak sentences: $PMTK161,0, which any byte ends (UBX-13003181 2.11), $PCAS12,N and $PAIR650,N, which only
//   their timer ends. It refuses a sentence whose checksum is wrong, and passes over other makers'.

/// A receiver by its maker's protocol description.
package struct SimulatedReceiver: Sendable {
  /// What it understands.
  package enum Language: Sendable, Equatable {
    case ubx
    /// A sentence of this address, by whose first number it sleeps: seconds, or 0 until a byte comes.
    case sentence(String)
  }

  package struct Model: Sendable {
    package var language = Language.ubx
    package var protocolVersion: Double
    /// What it answers to UBX-MON-VER.
    package var hardware: String
    package var isOnUSB = false
    /// Milliwatts.
    package var acquiring: Double
    package var tracking: Double
    package var sleeping: Double
    /// Seconds to the first fix.
    package var hotStart: Double
    package var coldStart: Double

    package init(
      protocolVersion: Double, hardware: String, acquiring: Double, tracking: Double,
      sleeping: Double, hotStart: Double, coldStart: Double
    ) {
      self.protocolVersion = protocolVersion
      self.hardware = hardware
      self.acquiring = acquiring
      self.tracking = tracking
      self.sleeping = sleeping
      self.hotStart = hotStart
      self.coldStart = coldStart
    }

    /// NEO-M8P on 3.3 V (UBX-15016656 R11: 35 mA acquiring, 33 mA tracking, 30 µA in software backup; hot start 1 s, cold
    /// 26 s).
    package static let m8 = Self(
      protocolVersion: 18, hardware: "00080000", acquiring: 115.5, tracking: 108.9, sleeping: 0.099,
      hotStart: 1, coldStart: 26)
    /// NEO-6M on 3.3 V (GPS.G6-HW-09005-E: 47 mA acquiring, 39 mA tracking, 22 µA of the backup supply; hot start 1 s,
    /// cold 27 s).
    package static let neo6 = Self(
      protocolVersion: 14, hardware: "00040007", acquiring: 155.1, tracking: 128.7,
      sleeping: 0.0726,
      hotStart: 1, coldStart: 27)
  }

  package enum State: Sendable, Equatable {
    case acquiring(until: Double)
    case tracking
    /// `until` is `nil` for ever; `byByte` if a byte ends it.
    case asleep(until: Double?, byByte: Bool)
  }

  package let model: Model
  package private(set) var state: State
  /// Joules since its start.
  package private(set) var joules = 0.0
  /// Seconds of its account, and those asleep.
  package private(set) var asleepSeconds = 0.0
  /// The number of sleeps that it took, and of commands that it refused.
  package private(set) var sleeps = 0
  package private(set) var refused = 0
  private var now: Double
  private var lastTracked: Double?
  private var buffer: [UInt8] = []

  /// Switched on at `now`, with nothing in its memory unless it tracked up to then.
  package init(_ model: Model, at now: Double, hasEphemeris: Bool = false) {
    self.model = model
    self.now = now
    lastTracked = hasEphemeris ? now : nil
    state = .acquiring(until: now + (hasEphemeris ? model.hotStart : model.coldStart))
  }

  package var isAwake: Bool { if case .asleep = state { false } else { true } }
  package var hasFix: Bool { state == .tracking }

  /// Lets time pass.
  package mutating func advance(to instant: Double) {
    while now < instant {
      switch state {
      case .acquiring(let until):
        spend(model.acquiring, to: min(until, instant))
        if now >= until { state = .tracking }
      case .tracking:
        spend(model.tracking, to: instant)
        lastTracked = now
      case .asleep(let until, _):
        let end = min(until ?? .infinity, instant)
        asleepSeconds += end - now
        spend(model.sleeping, to: end)
        if let until, now >= until { start() }
      }
    }
  }

  /// Takes bytes from its line; returns what it answers.
  package mutating func receive(_ bytes: [UInt8], at instant: Double) -> [UInt8] {
    advance(to: instant)
    guard !bytes.isEmpty else { return [] }
    if case .asleep(_, let byByte) = state {
      if byByte { start() }
      return []
    }
    buffer += bytes
    var answer: [UInt8] = []
    switch model.language {
    case .ubx:
      while isAwake, let (kind, payload) = nextFrame() { answer += perform(kind, payload) }
    case .sentence(let address):
      while isAwake, let end = buffer.firstIndex(of: 0x0A) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 1)
        hear(sentence: line, of: address)
      }
    }
    return answer
  }

  /// Cuts the supply, and puts it back at once: ephemeris and clock are gone.
  package mutating func cutSupply(at instant: Double) {
    advance(to: instant)
    lastTracked = nil
    start()
  }

  private mutating func spend(_ milliwatts: Double, to instant: Double) {
    joules += milliwatts * (instant - now) / 1_000
    now = instant
  }

  private mutating func start() {
    buffer = []
    let isHot = lastTracked.map { now - $0 <= 4 * 3_600 } ?? false
    state = .acquiring(until: now + (isHot ? model.hotStart : model.coldStart))
  }

  // MARK: UBX

  /// The next whole frame with a right checksum; what stands before it is skipped.
  private mutating func nextFrame() -> (kind: UInt16, payload: [UInt8])? {
    while let start = buffer.firstIndex(of: 0xB5) {
      buffer.removeFirst(start)
      guard buffer.count >= 2 else { return nil }
      guard buffer[1] == 0x62 else {
        buffer.removeFirst()
        continue
      }
      guard buffer.count >= 6 else { return nil }
      let length = Int(buffer[4]) | Int(buffer[5]) << 8
      guard buffer.count >= length + 8 else { return nil }
      let body = Array(buffer[2..<length + 6])
      let sum = Self.checksum(body)
      let isSound = buffer[length + 6] == sum.0 && buffer[length + 7] == sum.1
      buffer.removeFirst(isSound ? length + 8 : 1)
      if isSound { return (UInt16(body[0]) << 8 | UInt16(body[1]), Array(body.dropFirst(4))) }
      refused += 1
    }
    buffer = []
    return nil
  }

  private mutating func perform(_ kind: UInt16, _ payload: [UInt8]) -> [UInt8] {
    switch (kind, payload.count) {
    case (0x0A04, 0): return version
    case (0x0241, 8): requestSleep(duration: 0, flags: 4, wakesByByte: true, payload)
    case (0x0241, 16) where model.protocolVersion >= 18:
      requestSleep(duration: 4, flags: 8, wakesByByte: payload[12] & 0x08 != 0, payload)
    case (0x0241, _): refused += 1
    default: break
    }
    return []
  }

  private mutating func hear(sentence line: String, of address: String) {
    guard let start = line.firstIndex(of: "$"), let star = line.lastIndex(of: "*"), start < star
    else { return }
    let body = line[line.index(after: start)..<star]
    let sum = body.utf8.reduce(0, ^)
    guard UInt8(line[line.index(after: star)...].prefix(2), radix: 16) == sum else {
      refused += 1
      return
    }
    let fields = body.split(separator: ",")
    guard fields.first == address[...], fields.count == 2, let seconds = Double(fields[1]) else {
      return
    }
    sleeps += 1
    buffer = []
    let isForEver = seconds == 0
    state = .asleep(until: isForEver ? nil : now + seconds, byByte: address == "PMTK161")
  }

  private mutating func requestSleep(
    duration: Int, flags: Int, wakesByByte: Bool, _ payload: [UInt8]
  ) {
    let milliseconds = (0..<4).reduce(0) { $0 | Int(payload[duration + $1]) << (8 * $1) }
    let isForced = payload.count == 16 && payload[flags] & 0x04 != 0
    guard payload[flags] & 0x02 != 0, !model.isOnUSB || isForced else {
      refused += 1
      return
    }
    sleeps += 1
    buffer = []
    state = .asleep(
      until: milliseconds == 0 ? nil : now + Double(milliseconds) / 1_000, byByte: wakesByByte)
  }

  /// UBX-MON-VER: software, hardware, and the extensions, each padded with zeros.
  private var version: [UInt8] {
    func padded(_ text: String, _ count: Int) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0, count: count - text.utf8.count)
    }
    let whole = Int(model.protocolVersion)
    var payload = padded("ROM CORE 3.01 (107888)", 30) + padded(model.hardware, 10)
    payload += padded("FWVER=SPG 3.01", 30) + padded("PROTVER=\(whole).00", 30)
    return Self.frame(0x0A, 0x04, payload)
  }

  /// A frame around a payload.
  package static func frame(_ kind: UInt8, _ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let body = [kind, id, UInt8(payload.count & 0xFF), UInt8(payload.count >> 8)] + payload
    let sum = checksum(body)
    return [0xB5, 0x62] + body + [sum.0, sum.1]
  }

  /// 8-bit Fletcher.
  private static func checksum(_ bytes: [UInt8]) -> (UInt8, UInt8) {
    bytes.reduce((0, 0)) { ($0.0 &+ $1, $0.1 &+ ($0.0 &+ $1)) }
  }
}
