// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
import ServiceCore

/// gpsd and its one receiver.
struct SimulatedGPSD: Sendable {
  static let device = "/dev/ttyUSB0"

  var isThere = true
  var isPluggedIn = true
  var isSilent = false
  /// The last order; `nil` from a service that has sent none yet.
  var wasToldToWatch: Bool?
  var isConnected = false
  /// Counts the watches: events of an earlier one are void.
  var watch = 0
  var lastTracked: Int64?
  var hasFix = false

  mutating func stops() {
    watch += 1
    (isConnected, hasFix, wasToldToWatch) = (false, false, nil)
  }

  mutating func reboots() {
    stops()
    lastTracked = nil
  }
}

/// A modem that reports cells of a kilometre.
struct SimulatedModem: Sendable {
  var isThere = true
  var isListening = false
  var listening = 0
  var cell: CellIdentity?

  mutating func stops() {
    listening += 1
    isListening = false
    cell = nil
  }
}

extension Simulation {
  // MARK: gpsd

  mutating func watchGPSD(_ isOn: Bool) {
    guard gpsd.wasToldToWatch != isOn else { return }
    gpsd.wasToldToWatch = isOn
    gpsd.watch += 1
    if isOn { return beginWatch() }
    guard gpsd.isConnected else { return }
    if gpsd.hasFix { gpsd.lastTracked = now }
    gpsd.hasFix = false
    tell(.gpsd(.link(.watching(false))), in: 0.01)
    if gpsd.isPluggedIn { tell(.gpsd(.device(.closed(path: SimulatedGPSD.device))), in: 0.02) }
  }

  mutating func reconnectGPSD() {
    gpsd.stops()
  }

  private mutating func beginWatch() {
    if !gpsd.isThere {
      tell(.gpsd(.link(.unreachable(reason: "refused", retryAfter: 10))), in: 0.01)
      return add(.gpsd(.connected, watch: gpsd.watch), in: 10)
    }
    add(.gpsd(.connected, watch: gpsd.watch), in: 0.01)
  }

  mutating func gpsd(_ step: GPSDStep, _ watch: Int) {
    guard isUp, watch == gpsd.watch else { return }
    switch step {
    case .connected: connected()
    case .searching(let until): searching(until)
    case .fix: reportFix()
    }
  }

  private mutating func connected() {
    guard gpsd.isThere else {
      return add(.gpsd(.connected, watch: gpsd.watch), in: 30)
    }
    if !gpsd.isConnected {
      gpsd.isConnected = true
      tell(
        .gpsd(.link(.connected(release: "3.25", protocolMajor: 3, protocolMinor: 15))), in: 0)
    }
    tell(.gpsd(.link(.watching(true))), in: 0)
    guard gpsd.isPluggedIn else { return tell(.gpsd(.device(.none)), in: 0) }
    tell(.gpsd(.device(.opened(path: SimulatedGPSD.device, driver: "u-blox"))), in: 0)
    let isHot = gpsd.lastTracked.map { now - $0 < 14_400_000_000 } ?? false
    let seconds = isHot ? chance.between(1, 8) : chance.between(25, 45)
    add(.gpsd(.searching(until: now + Int64(seconds * 1e6)), watch: gpsd.watch), in: 1)
  }

  private mutating func searching(_ until: Int64) {
    guard gpsd.isThere, gpsd.isPluggedIn else { return }
    if now >= until {
      gpsd.hasFix = true
      return reportFix()
    }
    if !gpsd.isSilent { tell(.gpsd(.searching(device: SimulatedGPSD.device)), in: 0) }
    add(.gpsd(.searching(until: until), watch: gpsd.watch), in: min(5, Double(until - now) / 1e6))
  }

  private mutating func reportFix() {
    guard gpsd.isThere, gpsd.isPluggedIn else { return }
    add(.gpsd(.fix, watch: gpsd.watch), in: 1)
    guard !gpsd.isSilent else { return }
    // The receiver's time is right, whatever the host's is.
    let receiver = UTCInstant(microseconds: now / 1_000_000 * 1_000_000 + 1_700_000_000_000_000)
    var fix = walk.fix(at: now, utc: receiver)
    if faults.strike(.garbage) {
      switch chance.below(4) {
      case 0: return tell(.gpsd(.trouble(.badLine("no JSON"))), in: 0)
      case 1: fix.time = nil
      case 2: fix.horizontalAccuracy = 1e308
      default:
        fix.time = receiver.advanced(bySeconds: -chance.logBetween(1, 1e8))
        tell(.gpsd(.trouble(.timeWentBack(seconds: 5, device: SimulatedGPSD.device))), in: 0)
      }
    }
    noteWithin(fix)
    tell(.gpsd(.fix(fix, device: SimulatedGPSD.device)), in: 0)
  }

  /// gpsd goes, or comes back.
  mutating func gpsdIsThere(_ isThere: Bool) {
    gpsd.isThere = isThere
    guard isUp, gpsd.wasToldToWatch == true || gpsd.isConnected else { return }
    gpsd.watch += 1
    if !isThere, gpsd.isConnected {
      gpsd.isConnected = false
      gpsd.hasFix = false
      tell(.gpsd(.link(.lost(reason: "closed", retryAfter: 1))), in: 0.001)
    }
    if gpsd.wasToldToWatch == true { add(.gpsd(.connected, watch: gpsd.watch), in: 5) }
  }

  mutating func receiverIsPluggedIn(_ isPluggedIn: Bool) {
    gpsd.isPluggedIn = isPluggedIn
    guard isUp, gpsd.isConnected, gpsd.wasToldToWatch == true else { return }
    gpsd.watch += 1
    gpsd.hasFix = false
    if isPluggedIn {
      add(.gpsd(.connected, watch: gpsd.watch), in: 0.1)
    } else {
      tell(.gpsd(.device(.closed(path: SimulatedGPSD.device))), in: 0.001)
    }
  }

  // MARK: Modem

  mutating func listenToModem(_ isOn: Bool) {
    guard modem.isListening != isOn else { return }
    modem.stops()
    modem.isListening = isOn
    if isOn { add(.cell(listening: modem.listening), in: 0.5) }
  }

  mutating func cellChanges(_ listening: Int) {
    guard isUp, listening == modem.listening, modem.isListening else { return }
    add(.cell(listening: listening), in: 30)
    guard modem.isThere else { return }
    let place = walk.place(at: now)
    let number =
      UInt32(truncatingIfNeeded: Int(place.north / 1_000) &* 4_096 &+ Int(place.east / 1_000))
    let cell = CellIdentity(
      country: 262, network: 1, area: 1, cell: number | 1 << 30, trackingArea: 0)
    guard cell != modem.cell else { return }
    tell(.modem(.cell(cell, previous: modem.cell)), in: 0)
    modem.cell = cell
  }

  mutating func modemIsThere(_ isThere: Bool) {
    modem.isThere = isThere
    modem.cell = nil
    tell(.modem(.modem(present: isThere, words: isThere ? "a modem came" : "the modem is gone")))
  }
}
