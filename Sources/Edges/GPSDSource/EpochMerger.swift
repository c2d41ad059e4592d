// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import ServiceContract

/// Merges live TPV reports into one fix per epoch and device, as early as is safe.
///
/// Theory. gpsd may send several TPV per epoch, each with the content of one sentence. A log closes an epoch when the
/// next one begins; in live use that would make each fix a second old. So the epoch of a device is closed by the first
/// of these:
///
///     same time  ──► merged                      other time ──► closed, a new epoch begins
///     as many reports and every field that the last epochs had ──► closed at once ("usual")
///     no report for `quiet` ──► closed           open for `longest` ──► closed
///
/// - *Usual* is learned: three consecutive epochs of the same mode, number of reports and fields. It is forgotten when
///   an epoch differs or a report comes late, and each late report doubles the number of epochs needed to learn it
///   again, up to 96: a device that cannot be learned is left alone.
/// - *Quiet* is 150 ms at first: longer than the pause between gpsd's reports of one burst of a device, too short for a
///   person to notice. A report that comes after it doubles the pause, up to 600 ms: a slow serial line takes that long
///   for an epoch's sentences.
/// - A *late* report states the time of the epoch just closed. Its fix is out already and an epoch makes one fix, so it
///   is counted and dropped. When it comes `longest` after the closing or later, the receiver's clock has stopped: it
///   is a new epoch, and the engine judges.
/// - An epoch without mode 2 or 3 and a coordinate is closed the same way and is *searching*.
/// - Time that runs backwards is reported and the fix is passed on: the engine judges.
///
/// Devices: at most `deviceLimit`; another one displaces the one heard longest ago.
struct EpochMerger {
  static let deviceLimit = 64
  static let longest = 1.0
  static let quietAtFirst = 0.150
  static let quietAtMost = 0.600
  static let epochsToLearn = 3
  static let epochsToLearnAtMost = 96

  /// Reports that came after their epoch was closed.
  private(set) var lateReports = 0
  private var devices: [Device] = []
  private let rangeError: Double

  init(rangeError: Double = DecodingOptions().rangeError) { self.rangeError = rangeError }

  /// The epochs of one receiver.
  private struct Device {
    let path: String
    var open: Open?
    var sky: GPSDSky?
    var heard: EngineInstant
    var closedTime: UTCInstant?
    var closedAt: EngineInstant?
    var usual = Usual()
    var quiet = EpochMerger.quietAtFirst
  }

  private struct Open {
    var epoch: GPSDEpoch
    let begun: EngineInstant
    var last: EngineInstant
  }

  /// The reports that make this device's epochs.
  private struct Usual {
    var mode: Int?
    var reports = 0
    var fields: GPSDPosition.FieldSet = []
    var alike = 0
    var needed = EpochMerger.epochsToLearn

    func isReached(by epoch: GPSDEpoch) -> Bool {
      alike >= needed && epoch.position.mode == mode && epoch.reports >= reports
        && epoch.position.fields.isSuperset(of: fields)
    }

    mutating func learn(_ epoch: GPSDEpoch) {
      let seen = epoch.position.fields
      let isAlike = epoch.position.mode == mode && epoch.reports == reports && seen == fields
      alike = isAlike ? min(alike + 1, needed) : 1
      mode = epoch.position.mode
      reports = epoch.reports
      fields = seen
    }

    mutating func forget() {
      alike = 0
      needed = min(needed * 2, EpochMerger.epochsToLearnAtMost)
    }
  }

  /// The time of the next work for `advance`; `nil` while no epoch is open.
  var nextDeadline: EngineInstant? { devices.compactMap { Self.deadline(of: $0) }.min() }

  private static func deadline(of device: Device) -> EngineInstant? {
    device.open.map {
      min($0.last.advanced(bySeconds: device.quiet), $0.begun.advanced(bySeconds: longest))
    }
  }

  mutating func merge(
    _ report: GPSDPosition, at now: EngineInstant, into events: inout [GPSDEvent]
  ) {
    let index = place(of: report.device, at: now, into: &events)
    if let open = devices[index].open, !open.epoch.takes(report) {
      closeEpoch(index, at: now, into: &events)
    }
    if devices[index].open == nil, isLate(report, index, now) {
      lateReports += 1
      devices[index].usual.forget()
      devices[index].quiet = min(devices[index].quiet * 2, Self.quietAtMost)
      return
    }
    if devices[index].open == nil {
      devices[index].open = Open(epoch: GPSDEpoch(report), begun: now, last: now)
    } else {
      devices[index].open?.epoch.merge(report)
      devices[index].open?.last = now
    }
    if let open = devices[index].open, devices[index].usual.isReached(by: open.epoch) {
      closeEpoch(index, at: now, into: &events)
    }
  }

  mutating func merge(_ sky: GPSDSky, at now: EngineInstant, into events: inout [GPSDEvent]) {
    let index = place(of: sky.device, at: now, into: &events)
    devices[index].sky = sky
  }

  /// Closes the epochs that are due at `now`.
  mutating func advance(to now: EngineInstant, into events: inout [GPSDEvent]) {
    for index in devices.indices {
      if let deadline = Self.deadline(of: devices[index]), deadline <= now {
        closeEpoch(index, at: now, into: &events)
      }
    }
  }

  /// Closes every open epoch, of one device or of all; *usual* must be learned again.
  mutating func flush(device: String? = nil, at now: EngineInstant, into events: inout [GPSDEvent])
  {
    for index in devices.indices where device == nil || devices[index].path == device {
      closeEpoch(index, at: now, into: &events)
      devices[index].usual = Usual()
      devices[index].sky = nil
    }
  }

  private mutating func place(
    of path: String, at now: EngineInstant, into events: inout [GPSDEvent]
  ) -> Int {
    if let index = devices.firstIndex(where: { $0.path == path }) {
      devices[index].heard = now
      return index
    }
    if devices.count >= Self.deviceLimit,
      let oldest = devices.indices.min(by: { devices[$0].heard < devices[$1].heard })
    {
      closeEpoch(oldest, at: now, into: &events)
      devices.remove(at: oldest)
    }
    devices.append(Device(path: path, heard: now))
    return devices.count - 1
  }

  private func isLate(_ report: GPSDPosition, _ index: Int, _ now: EngineInstant) -> Bool {
    guard let time = report.time, time == devices[index].closedTime,
      let closed = devices[index].closedAt
    else { return false }
    return EngineInstant.seconds(from: closed, to: now) < Self.longest
  }

  private mutating func closeEpoch(
    _ index: Int, at now: EngineInstant, into events: inout [GPSDEvent]
  ) {
    guard let epoch = devices[index].open?.epoch else { return }
    devices[index].open = nil
    devices[index].usual.learn(epoch)
    if let time = epoch.time {
      if let last = devices[index].closedTime, time < last {
        let seconds = UTCInstant.seconds(from: time, to: last)
        events.append(.trouble(.timeWentBack(seconds: seconds, device: epoch.device)))
      }
      devices[index].closedTime = time
      devices[index].closedAt = now
    }
    guard epoch.hasPosition else { return events.append(.searching(device: epoch.device)) }
    let draft = epoch.completed(sky: usableSky(index))
    guard let coordinate = draft.coordinate else {
      return events.append(.searching(device: epoch.device))
    }
    events.append(.fix(draft.fix(at: coordinate, rangeError: rangeError), device: epoch.device))
  }

  /// The device's own sky, or one without a device name; each serves `ageLimit` epochs.
  private mutating func usableSky(_ index: Int) -> GPSDSky? {
    let candidates = [index] + devices.indices.filter { devices[$0].path.isEmpty }
    for candidate in candidates {
      guard let sky = devices[candidate].sky, sky.age < GPSDSky.ageLimit else { continue }
      devices[candidate].sky?.age += 1
      return sky
    }
    return nil
  }
}
