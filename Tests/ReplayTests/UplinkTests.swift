// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationEngine
import LocationModel
import RadioPower
import Testing

@testable import Replay

@Suite("Uplinks")
struct UplinkTests {
  private func options(
    _ device: String, _ policy: UploadPolicy, bytes: Int = 200
  ) throws -> ReplayOptions {
    let device = try #require(try ProfileLibrary.device(named: device))
    var options = ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
    options.drawsAcquisition = false
    options.uploads = policy
    options.itemBytes = bytes
    return options
  }

  /// The life of an app over a trace, with the activity of its device.
  private func run(
    _ plan: RunPlan, over events: [TraceEvent], _ options: ReplayOptions
  ) -> (result: RunResult, log: [Activity]) {
    var comparison = Comparison(
      runs: [Run(plan, options: options, records: .radioLog)], options: options,
      summary: Drawn.summary(events), observed: nil)
    comparison.feed(events)
    let result = comparison.finishTrace().runs[0]
    return (result, comparison.drainRadioLog(ofRun: 0))
  }

  private let continuous = RunPlan(.continuous, .pocket)
  private let drive = Drawn.trace([(2_557, 10)])

  private func uplink(_ result: RunResult) -> Double {
    result.energy.components.filter { $0.component == "cell" }.reduce(0) { $0 + $1.energy.nominal }
  }

  // MARK: What is unsent

  @Test("What waits when the trace ends is counted with its age, and not paid for")
  func unsent() throws {
    let hour = run(continuous, over: drive, try options("phone-2021-lte", .everySeconds(3_600)))
      .result
    #expect(hour.counters.uploads == 0)
    #expect(hour.counters.deliveries > 2_000)
    #expect(hour.counters.unsent == hour.counters.deliveries)
    // One delivery a second: the age of the first equals their number, minus the last.
    #expect(hour.counters.oldestUnsent == Double(hour.counters.deliveries - 1))
    #expect(uplink(hour) == 0)
    let silent = run(continuous, over: drive, try options("phone-2021-lte", .none)).result
    #expect(silent.counters.unsent == 0 && silent.counters.oldestUnsent == 0)
  }

  @Test("A transfer carries its overhead once, however many deliveries are in it")
  func overhead() throws {
    var options = try options("phone-2021-lte", .everyCount(20))
    options.overheadBytes = 700
    let log = run(continuous, over: drive, options).log
    let bytes = Set(log.compactMap(\.uploadBytes))
    #expect(bytes == [20 * 200 + 700])
  }

  // MARK: LoRa

  private let tracker = "tracker-lora-m10"

  @Test("On a band with a duty cycle frames keep their distance, and what queues is unsent")
  func dutyCycle() throws {
    let (result, log) = run(continuous, over: drive, try options(tracker, .each))
    let frame = try #require(try ProfileLibrary.network(named: "lora-sf12")?.frame)
    let sent = log.compactMap { activity in
      activity.uploadBytes.map { (at: activity.at.seconds, bytes: $0) }
    }
    #expect(sent.prefix(5).map(\.bytes) == [51, 51, 51, 47, 51])
    for (one, next) in zip(sent, sent.dropFirst()) {
      #expect(next.at - one.at >= frame.airtime(of: one.bytes) / 0.01 - 1e-3)
    }
    // After a first search of 50 s and a bit, 2,507 s hold nine frames, of which three take 279 s and a fourth 263 s:
    // two whole positions and one frame of a third.
    #expect(sent.count == 9)
    #expect(result.counters.uploads == 2)
    #expect(result.counters.uploadedDeliveries == 2)
    #expect(result.counters.unsent == result.counters.deliveries - 2)
    // On air for 1 % of the time, and the frame that is under way.
    let onAir = uplink(result) / 0.1452
    #expect(onAir < 0.01 * 2_557 + 2.8)
  }

  @Test("A larger payload takes longer: 10,240 bytes never arrive, 11 do")
  func payload() throws {
    let large = run(continuous, over: drive, try options(tracker, .each, bytes: 10_240)).result
    #expect(large.counters.uploads == 0)
    #expect(large.counters.unsent == large.counters.deliveries)
    // 11 bytes at SF12: 12.25 + 8 + 5·⌈(8·24 − 48 + 44)/40⌉ = 45.25 symbols, 1.4828 s: one in 148 s.
    let small = run(continuous, over: drive, try options(tracker, .each, bytes: 11)).result
    #expect((16...18).contains(small.counters.uploads))
  }

  @Test("A queue has a limit: beyond it the oldest is given up, and stays unsent")
  func limit() throws {
    var uplink = Uplink(try options(tracker, .each))
    var counters = Counters()
    for second in 0..<(Uplink.limit + 500) {
      let now = EngineInstant.zero.advanced(bySeconds: Double(second) * 0.01)
      uplink.addDelivery(at: now)
      while uplink.next(at: now, appRuns: true, &counters) != nil {}
    }
    uplink.countUnsent(at: .zero.advanced(bySeconds: 200), &counters)
    #expect(counters.unsent == Uplink.limit + 500)
    // The first has begun and is still under way; the second was the first to be given up.
    #expect(abs(counters.oldestUnsent - 199.99) < 1e-6)
  }

  // MARK: One radio

  @Test(
    "Receiver and modem of an nRF9160 are never on together",
    arguments: [UploadPolicy.each, .everySeconds(60), .everyCount(10)])
  func oneRadio(_ policy: UploadPolicy) throws {
    let options = try options("tracker-ltem-nrf9160", policy)
    for plan in [continuous, RunPlan(.continuous, .foreground)] {
      let (result, log) = run(plan, over: drive, options)
      #expect(result.counters.uploads > 0)
      var meter = EnergyMeter(device: options.device, network: options.network)
      var state = Activity.GNSSState.off
      for activity in log {
        meter.record(activity)
        if case .gnss(let next) = activity.event { state = next }
        // At the instant of a request the receiver goes off the air with the next record.
        guard activity.uploadBytes == nil else { continue }
        let isQuiet = state.isRest || state == .blocked
        #expect(meter.cellBusySeconds < 1e-5 || isQuiet, "\(activity)")
      }
    }
  }

  @Test("On a shared radio who sends every position hears one in twelve, on two all of them")
  func eachOnOneRadio() throws {
    let shared = run(continuous, over: drive, try options("tracker-ltem-nrf9160", .each)).result
    let quiet = run(continuous, over: drive, try options("tracker-ltem-nrf9160", .none)).result
    // 1.5 s to connect, 0.3 s and 24 ms for 900 bytes, 10 s of inactivity: 11.8 s, then the next second.
    let ratio = Double(quiet.counters.deliveries) / Double(shared.counters.deliveries)
    #expect((11.5...13.5).contains(ratio), "\(ratio)")
    #expect(shared.receiverOn < quiet.receiverOn / 5)
    let phone = run(continuous, over: drive, try options("phone-2021-lte", .each)).result
    let phoneQuiet = run(continuous, over: drive, try options("phone-2021-lte", .none)).result
    #expect(phone.counters.deliveries == phoneQuiet.counters.deliveries)
  }
}

extension Activity {
  /// Bytes of an upload; `nil` for everything else.
  fileprivate var uploadBytes: Int? {
    if case .cellTransfer(let bytes, _, _) = event { bytes } else { nil }
  }
}
