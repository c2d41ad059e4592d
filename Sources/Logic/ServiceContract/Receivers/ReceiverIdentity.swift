// SPDX-License-Identifier: Apache-2.0

import JSONText

/// What gpsd says of a receiver (gpsd_json(5), DEVICE), and the file behind the path that it uses.
package struct ReceiverIdentity: Sendable, Equatable, Codable {
  /// gpsd's name of the protocol, as in `u-blox` or `MTK-3301`; `nil` before it knows.
  package var driver: String?
  /// The receiver's word on its hardware and firmware.
  package var subtype: String?
  package var subtype1: String?
  /// The device's file, all links followed; `nil` if it is on another machine.
  package var file: String?

  package init(
    driver: String? = nil, subtype: String? = nil, subtype1: String? = nil, file: String? = nil
  ) {
    self.driver = driver
    self.subtype = subtype
    self.subtype1 = subtype1
    self.file = file
  }

  /// Its family; `nil` if it is none whose sleep is documented.
  ///
  /// A u-blox tells its hardware (`HW 00080000`) and, from u-blox 7 on, its protocol's version (`PROTVER=18.00`); both
  /// come with UBX-MON-VER, for which gpsd asks.
  ///
  /// An Airoha tells its firmware, `AG3335M_V2.5.0`, and speaks none of MediaTek's commands, whatever gpsd takes it for.
  package var family: ReceiverFamily? {
    if words.contains(where: { $0.hasPrefix("AG33") }) { return .airoha }
    return switch driver {
    case "u-blox"?: ublox
    case "MTK-3301"?: .mediaTek
    case "CASIC"?: .casic
    default: nil
    }
  }

  private var ublox: ReceiverFamily? {
    if let version = number(after: "PROTVER") {
      // UBX-13003221 lists the 16 bytes for 18.00 on; M10 begins with 34.00 (UBX-20053845).
      return version >= 34 ? .ubloxM10 : version >= 18 ? .ubloxM8 : .ublox7
    }
    // Without a version it is a u-blox 6 or older, and those before 6 know no such command.
    return hardware.flatMap { ["00040007", "00070000"].contains($0) ? .ublox7 : nil }
  }

  private var hardware: Substring? {
    words.first { $0.hasPrefix("HW ") }?.dropFirst(3).prefix(8)
  }

  private func number(after key: String) -> Double? {
    words.first { $0.hasPrefix(key) }.flatMap {
      let text = $0.dropFirst(key.count).drop { $0 == "=" || $0 == " " }
      let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.first.flatMap { Int($0) }.map(Double.init)
    }
  }

  /// What gpsd joins with commas.
  private var words: [Substring] {
    [subtype, subtype1].compactMap(\.self).flatMap { $0.split(separator: ",") }
  }

  /// Whether the receiver itself is the USB device: a modem of the CDC class. One behind a converter is a `ttyUSB`.
  private var isOnUSB: Bool { file?.hasPrefix("/dev/ttyACM") == true }
}

/// Which receivers may be sent to sleep.
package enum ReceiverSleep: String, Sendable, CaseIterable, Codable {
  /// None.
  case off
  /// Those that a byte wakes at any time, and their own timer whatever becomes of the service.
  case timed
  /// Also those that only a byte wakes, which gpsd sends when it opens them, and those that only their timer wakes,
  /// however early they are wanted.
  case always
}

extension ReceiverIdentity {
  /// What can be done with it between two looks.
  package enum Rest: Sendable, Equatable {
    case sleeps(ReceiverFamily)
    /// It goes on at full power; the reason is a phrase for people.
    case goesOn(String)
  }

  package func rest(by sleep: ReceiverSleep) -> Rest {
    if driver == "SiRF" {
      return .goesOn("only a pulse on its pin ON_OFF ends a SiRF's sleep, and no line carries that")
    }
    guard let family else {
      let kind = driver.map { "'\(Quoted.plain(String($0.prefix(40))))'" } ?? "its kind"
      return .goesOn("no command to sleep is known for \(kind)")
    }
    if isOnUSB, driver == "u-blox" {
      return .goesOn("a u-blox that is itself the USB device stays awake for its host")
    }
    switch (sleep, family.waking) {
    case (.off, _): return .goesOn("receiver_sleep is off")
    case (.timed, .byByte):
      return .goesOn("only a byte ends its sleep, and receiver_sleep is timed")
    case (.timed, .byTimer):
      return .goesOn("only its timer ends its sleep, and receiver_sleep is timed")
    case (.timed, .byTimerOrByte), (.always, _): return .sleeps(family)
    }
  }
}
