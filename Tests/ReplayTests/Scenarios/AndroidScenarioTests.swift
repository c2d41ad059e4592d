// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationEngine
import LocationModel
import RadioPower
import Testing

@testable import Replay

/// Android apps over a drawn drive: 1,000 s still, then 14 m/s. What is expected follows from the rules of the releases.
@Suite("An Android scenario is played by the rules of its release")
struct AndroidScenarioTests {
  private func play(_ yaml: String, seconds: Double = 2_000) throws -> (
    lines: [String], totals: [AndroidTotals], receiverOn: Double
  ) {
    let script = try #require(try read(yaml).android)
    let device = try #require(try ProfileLibrary.device(named: "phone-2023-pixel8"))
    let options = ReplayOptions(device: device, network: nil)
    let trace = Drawn.trace([(1_000, 0), (seconds - 1_000, 14)])
    var run = AndroidRun(
      script, options: options, summary: Drawn.summary(trace), observed: nil)
    run.feed(trace)
    let energy = run.finishTrace()
    let result = run.result(energy)
    let lines = run.drainLines().filter(\.isForPeople).map { line in
      let at = Int(UTCInstant.seconds(from: Drawn.start, to: line.time).rounded())
      return "\(at) \(line.app ?? "phone"): \(line.what.words)"
    }
    return (lines, result.apps, result.receiverOnSeconds)
  }

  private static func armed(_ release: String, _ permission: String = "always") -> String {
    """
    platform: android
    release: \(release)
    places:
      home: {lat: 48, lon: 11, radius: 150 m}
    apps:
      - name: tracker
        permission: \(permission)
        on open: geofence home
        on geofence exit: [foreground service, request high_accuracy every 1 s]
    then:
      - at: 0 s
        do: open tracker
      - at: 60 s
        do: screen off
    """
  }

  @Test(
    "A geofence makes a process, which starts a service, which is told each second",
    arguments: ["android6", "android8", "android14"])
  func armed(release: String) throws {
    let (lines, totals, receiverOn) = try play(Self.armed(release))
    let left = try #require(lines.first { $0.hasSuffix("is told that it has left home") })
    // 150 m and 10 m beyond are 12 s of way; then a look every 30 or 120 s, and one to confirm.
    let at = try #require(Int(left.split(separator: " ")[0]))
    #expect((1_012...(release == "android6" ? 1_100 : 1_300)).contains(at), "\(lines)")
    #expect(lines.contains { $0.hasSuffix("tracker: is unseen, with a foreground service") })
    #expect(totals[0].told > 600)
    #expect(receiverOn > 600)
    #expect(totals[0].refusedStarts == 0)
  }

  @Test("With *while in use* the geofence tells nobody, and the account says why")
  func whileInUse() throws {
    let (lines, totals, receiverOn) = try play(Self.armed("android14", "while_in_use"))
    #expect(
      lines.contains {
        $0.hasSuffix(
          "tracker: is not run for a geofence: its permission is *while in use*, and nobody sees it"
        )
      }, "\(lines)")
    #expect(totals[0].told == 0)
    #expect(receiverOn == 0)
  }

  @Test(
    "A push of normal priority does not let it start a service from 12 on; the account names the exception"
  )
  func push() throws {
    let yaml = """
      platform: android
      release: %
      apps:
        - name: tracker
          on push: [foreground service, request high_accuracy every 10 s]
      then:
        - at: 100 s
          do: push to tracker
      """
    let old = try play(yaml.replacing("%", with: "android10"))
    #expect(old.totals[0].refusedStarts == 0)
    #expect(old.totals[0].told > 100)
    let new = try play(yaml.replacing("%", with: "android14"))
    #expect(new.totals[0].refusedStarts == 1)
    #expect(
      new.lines.contains {
        $0.hasPrefix("100 tracker: cannot start its foreground service: nobody sees it")
          && $0.hasSuffix("(ForegroundServiceStartNotAllowedException)")
      }, "\(new.lines)")
    #expect(new.totals[0].told <= 1)
  }

  @Test("A job waits in Doze, and after a reboot a geofence must be registered again")
  func doze() throws {
    let (lines, totals, _) = try play(
      """
      platform: android
      release: android14
      places:
        home: {lat: 48, lon: 11, radius: 150 m}
      apps:
        - name: diary
          on open: [job every 15 min, geofence home]
      then:
        - at: 0 s
          do: open diary
        - at: 10 s
          do: [screen off, doze deep]
        - at: 950 s
          do: reboot
      """, seconds: 2_500)
    #expect(
      lines.contains(
        "900 diary: is not run for its job: the phone is in Doze: it waits for a maintenance window"
      ),
      "\(lines)")
    #expect(!lines.contains { $0.contains("left home") })
    #expect((totals[0].notWoken.first?.count ?? 0) >= 1)
  }

  @Test("A maker's battery manager is a stated act: nothing runs the app until it is opened")
  func vendor() throws {
    let (lines, totals, _) = try play(
      Self.armed("android14") + """

          - at: 500 s
            do: vendor stops tracker
        """)
    #expect(
      lines.contains(
        "500 phone: act: the maker's battery manager stops tracker (stated, not predicted)"))
    #expect(lines.contains("500 tracker: is force-stopped"))
    #expect(
      lines.contains {
        $0.hasSuffix(
          "is not run for a geofence: it was force-stopped: nothing runs it until its user opens it"
        )
      }, "\(lines)")
    #expect(totals[0].told == 0)
  }

  @Test("A stay in a geofence is told so long after the entry, and the entry is not")
  func dwell() throws {
    // 14 m/s for 4,000 s are 56 km; a place of 1.5 km around 28 km is crossed in 214 s, too soon for 10 min.
    func yaml(_ time: String) -> String {
      """
      platform: android
      places:
        ahead: {lat: 48, lon: 11.376, radius: 1500 m}
      apps:
        - name: tracker
          on open: geofence ahead dwell \(time)
          on geofence dwell: current location balanced
      then:
        - at: 0 s
          do: open tracker
        - at: 60 s
          do: screen off
      """
    }
    let short = try play(yaml("20 s"), seconds: 5_000)
    #expect(short.lines.contains { $0.hasSuffix("tracker: is told that it dwells in ahead") })
    #expect(!short.lines.contains { $0.contains("has entered") })
    #expect(short.totals[0].told == 1)
    let long = try play(yaml("10 min"), seconds: 5_000)
    #expect(!long.lines.contains { $0.contains("dwells in") }, "\(long.lines)")
    #expect(long.lines.contains { $0.hasSuffix("is told that it has left ahead") })
  }

  @Test("A change of activity wakes the app that asked for it, and lets it start a service")
  func activities() throws {
    let (lines, totals, receiverOn) = try play(
      """
      platform: android
      apps:
        - name: tracker
          on open: activities
          on activity moving: [foreground service, request high_accuracy every 1 s]
          on activity still: [remove request, end service]
      then:
        - at: 0 s
          do: open tracker
        - at: 60 s
          do: screen off
      """)
    let moved = try #require(lines.first { $0.hasSuffix("is told that the phone moves") })
    let at = try #require(Int(moved.split(separator: " ")[0]))
    // A window of 10 s, or of the next ones, each felt with 0.9.
    #expect((1_000...1_060).contains(at), "\(lines)")
    #expect(totals[0].refusedStarts == 0)
    #expect(totals[0].told > 800)
    #expect(receiverOn > 800)
  }

  @Test("What is not understood is said with its place, and what would be")
  func faults() throws {
    let text = try problems(
      """
      platform: android
      release: android15
      era: ios7
      apps:
        - name: tracker
          permission: sometimes
          on geofence exit: request best every 1 s
      then:
        - at: 0 s
          do: bucket rarely for tracker
      """)
    #expect(text.contains("trip.yaml:2: release: 'android15' is not one of android6, android8,"))
    #expect(
      text.contains(
        "trip.yaml:3: era: is for platform: ios; an Android scenario has a release, or releases"))
    #expect(text.contains("permission: 'sometimes' is not one of denied, while_in_use, always"))
    #expect(text.contains("one of high_accuracy, balanced, low_power, passive"))
    #expect(text.contains("one of active, working_set, frequent, rare, restricted"))
    #expect(
      try problems("platform: symbian\napps: [{name: a}]").contains(
        "'symbian' is not one of ios, android"))
  }

  @Test("The page has every sentence")
  func page() throws {
    let page = try String(
      contentsOfFile: #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
        + "/Sources/Programs/milepost/Milepost.docc/Android.md", encoding: .utf8)
    for pattern in AndroidStep.phrases.map(\.pattern) + AndroidAct.phrases.map(\.pattern) {
      #expect(page.contains("`\(pattern)`"), "\(pattern)")
    }
    for trigger in AndroidTrigger.allCases { #expect(page.contains("`on \(trigger.rawValue)`")) }
  }
}
