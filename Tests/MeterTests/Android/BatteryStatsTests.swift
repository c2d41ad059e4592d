// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import RadioPower
import Testing

@Suite("Battery statistics of Android")
struct BatteryStatsTests {
  /// In the form of AOSP's `BatteryUsageStats.dump`; components and times from a Xperia 10 IV with Android 14, with a
  /// receiver and a held processor added.
  private let dump = """
    Battery History (0% used, 1584 used of 4096KB):
              0 (15) RESET:TIME: 2026-05-04-10-00-00
    Statistics since last charge:
      System starts: 0, currently on battery: false
      Estimated battery capacity: 4173 mAh
      Last learned battery capacity: 4174 mAh
      Time on battery: 4d 5h 13m 46s 939ms (98.0%) realtime, 23h 49m 29s 411ms (23.5%) uptime
      Time on battery screen off: 4d 3h 29m 58s 481ms (98.3%) realtime, 22h 5m 40s 952ms (21.8%) uptime
      Screen off discharge: 1194 mAh
      Estimated power use (mAh):
        Capacity: 4174, Computed drain: 2671, actual drain: 2463-2671
        Global
          screen: 127 apps: 127 duration: 1h 43m 48s 458ms
          cpu: 39.9 apps: 39.9
          gnss: 21.3 [energy consumption] apps: 21.3 duration: 1h 0m 0s 0ms
          mobile_radio: 6386 apps: 2584 duration: 3h 17m 57s 867ms
          wakelock: 50 apps: 50 duration: 2h 0m 0s 500ms
        UID u0a195: 10.5 ( cpu=10.5 )
          gnss: 999 apps: 1 duration: 1s 0ms
          sensors: 999 apps: 1 duration: 1s 0ms
    """

  private func refusal(_ text: String) -> String? {
    do throws(InputError) {
      _ = try BatteryStatsDump(text)
      return nil
    } catch {
      return error.message
    }
  }

  @Test("Capacity, components with their times, and what the gauge counted with the screen off")
  func read() throws {
    let dump = try BatteryStatsDump(dump)
    #expect(dump.learnedCapacity == 4_174)
    let receiver = dump.uses["gnss"]
    #expect(receiver?.charge == 21.3 && receiver?.seconds == 3_600)
    #expect(receiver?.model == "energy consumption")
    #expect(dump.uses["sensors"] == nil, "that of an app")
    let processor = dump.uses["cpu"]
    #expect(processor?.charge == 39.9 && processor?.seconds == 0 && processor?.model == nil)
    #expect(dump.uses["wakelock"]?.seconds == 7_200.5)
    // 4 × 86,400 + 3 × 3,600 + 29 × 60 + 58.481 = 358,198.481 s.
    #expect(((dump.screenOff?.seconds ?? 0) - 358_198.481).magnitude < 1e-6)
    #expect(dump.screenOff?.charge == 1_194)
  }

  @Test("21.3 mAh in an hour at 3.85 V are 82.005 mW, good to 10 % where the phone measured them")
  func numbers() throws {
    let numbers = try BatteryStatsDump(dump).numbers(volts: 3.85)
    #expect(numbers.count == 8)
    let tracking = try #require(numbers.first { $0.key.description == "gnss,track_good,power" })
    #expect((tracking.value.nominal - 82.005).magnitude < 1e-9)
    #expect((tracking.value.high - 90.2055).magnitude < 1e-9)
    #expect(tracking.confidence == .measured)
    #expect(
      tracking.source
        == "batterystats: gnss 21.3 mAh x 3.85 V / 3600 s; measured by the phone (energy consumption)"
    )
    // 50 mAh × 3.85 V × 3,600 / 7,200.5 s = 96.243 mW, from the vendor's profile: ×/÷ 1.6.
    let awake = try #require(numbers.first { $0.key.description == "soc,awake_idle,power" })
    #expect((awake.value.nominal - 96.243_316).magnitude < 1e-5)
    #expect((awake.value.low - 96.243_316 / 1.6).magnitude < 1e-5)
    #expect(awake.confidence == .read)
    // 4,174 mAh × 3.85 V × 3.6.
    let battery = try #require(numbers.first { $0.key.description == "battery,capacity,energy" })
    #expect((battery.value.nominal - 57_851.64).magnitude < 1e-6)
  }

  @Test("What was hardly used says nothing")
  func short() throws {
    let text = dump.replacing("duration: 1h 0m 0s 0ms", with: "duration: 59s 0ms")
    let numbers = try BatteryStatsDump(text).numbers(volts: 3.85)
    #expect(!numbers.contains { $0.key.component == "gnss" })
  }

  @Test("Other texts are refused in words")
  func refusals() {
    #expect(
      refusal("9,0,i,vers,36,214,AP2A,AP2A\n9,0,l,pws,4174,2671,2463,2671\n")
        == "this is the --checkin form, which states no energy of the receiver; save what adb shell "
        + "dumpsys batterystats prints without it")
    #expect(
      refusal("hello")
        == "no \"Estimated power use (mAh):\" in this dump; save what adb shell dumpsys batterystats "
        + "prints")
    #expect(!BatteryStatsDump.recognises("hello") && BatteryStatsDump.recognises(dump))
  }

  @Test("Whatever is cut out of it, it is read or refused", arguments: 0..<100)
  func fuzz(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var characters = Array(dump)
    for _ in 0..<8 {
      let place = Int.random(in: 0..<characters.count, using: &random)
      if Bool.random(using: &random) {
        characters.remove(at: place)
      } else {
        characters[place] = ["9", " ", "\n", "e", ":"].randomElement(using: &random) ?? " "
      }
    }
    guard let dump = try? BatteryStatsDump(String(characters)) else { return }
    for number in dump.numbers(volts: 3.85) {
      let value = number.value
      #expect(
        value.low <= value.nominal && value.nominal <= value.high && value.nominal.isFinite)
    }
  }
}
