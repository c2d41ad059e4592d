// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LocationClient
import LocationClientReplay
import Testing

/// An app that logs its callbacks.
private final class Walker: NSObject, CLLocationManagerDelegate {
  enum Service { case standard, significant, once, heading }

  let manager = CLLocationManager()
  var log: [String] = []
  var locations: [CLLocation] = []
  var ages: [TimeInterval] = []
  var headings: [CLHeading] = []

  init(
    _ service: Service, allowsBackground: Bool = false,
    accuracy: CLLocationAccuracy = kCLLocationAccuracyBest
  ) {
    super.init()
    manager.delegate = self
    manager.pausesLocationUpdatesAutomatically = false
    manager.allowsBackgroundLocationUpdates = allowsBackground
    manager.desiredAccuracy = accuracy
    switch service {
    case .standard: manager.startUpdatingLocation()
    case .significant: manager.startMonitoringSignificantLocationChanges()
    case .once: manager.requestLocation()
    case .heading: manager.startUpdatingHeading()
    }
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    self.locations += locations
    ages += locations.map { -$0.timestamp.timeIntervalSinceNow }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    log.append("error \((error as NSError).domain) \((error as NSError).code)")
  }

  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    headings.append(newHeading)
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    log.append("authorization \(manager.authorizationStatus.rawValue)")
  }

  func locationManager(_ manager: CLLocationManager, didChangeAppState state: CLAppState) {
    log.append(state.rawValue)
  }

  func locationManager(_ manager: CLLocationManager, willTerminateIn seconds: TimeInterval) {
    log.append("ends in \(seconds) s")
  }
}

@Suite("An app's whole life over a trace, in virtual time")
struct ReplayedAppTests {
  private func walk() throws -> ReplayedTrace {
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    trace.firstStart = .hot
    return trace
  }

  @Test("Standard updates end with the suspension, 5 s after the app was put away, and say why")
  func standard() throws {
    var trace = try walk()
    trace.background(after: 60)
    let account = try trace.run { _ in Walker(.standard) }
    let walker = account.lives[0]
    let last = try #require(walker.locations.last)
    #expect(abs(last.timestamp.timeIntervalSince(account.start) - 65) <= 1)
    #expect(walker.log == ["authorization 3", "active", "inactive", "background"])
    #expect(account.state(at: account.start + 64) == .background)
    #expect(account.state(at: account.start + 66) == .suspended)
    // Purged after 600 s of suspension.
    #expect(account.state(at: account.start + 666) == .notRunning)
    #expect(
      account.why(at: account.start + 300)
        == "receiver_off: the apps that asked do not run, and nothing wakes them; the app is suspended"
    )
    #expect(account.launches.count == 1)
  }

  @Test("Continuous updates need the declared mode and the manager's flag, and never end")
  func continuous() throws {
    var trace = try walk()
    trace.background(after: 60)
    trace.declaresLocationMode = true
    let account = try trace.run { _ in Walker(.standard, allowsBackground: true) }
    #expect(account.state(at: account.end) == .background)
    #expect(account.deliveries.allSatisfy { $0.service == "continuous" || $0.isCached })
    #expect(account.lives[0].locations.count == account.deliveries.count)
    // The walk takes about 40 minutes at one fix a second.
    #expect(account.deliveries.count > 2_000)
    let without = try trace.run { _ in Walker(.standard) }
    #expect(without.state(at: without.end) == .notRunning)
  }

  @Test(
    "A significant change relaunches a purged app: the launch closure is called with the reason")
  func relaunch() throws {
    var trace = try walk()
    trace.background(after: 60)
    // A world with several significant changes on the way.
    trace.seed = 10
    var reasons: [CLLaunchReason?] = []
    var asked: [CLLaunchReason?] = []
    var knew: [Bool] = []
    let account = try trace.run { reason in
      reasons.append(reason)
      asked.append(CLLocationManager.launchReason)
      knew.append(CLLocationManager().location != nil)
      return Walker(.significant)
    }
    #expect(reasons.first == .some(nil))
    #expect(reasons.contains(.location))
    #expect(asked == reasons)
    // The first life knows no position; each other one knows that of an earlier life.
    #expect(knew == reasons.map { $0 != nil })
    #expect(account.launches.map(\.reason) == reasons)
    #expect(account.lives.count == reasons.count)
    #expect(account.lives.reduce(0) { $0 + $1.locations.count } == account.deliveries.count)
    // Each wake lasted for its budget: the app never reported its work as done.
    #expect(account.finishedWork == 0)
    #expect(account.states.contains { $0.reason == "wake budget used up" })
    // 500 m and 300 s lie between two of them, within the accuracies that the network claims.
    for (a, b) in zip(account.deliveries, account.deliveries.dropFirst()) {
      #expect(b.date.timeIntervalSince(a.date) >= 300)
    }
  }

  @Test("Nothing is told to the objects of a life that has ended")
  func deadObjects() throws {
    var trace = try walk()
    trace.forceQuit(after: 100)
    let account = try trace.run { _ in Walker(.standard) }
    #expect(account.lives.count == 1)
    let last = try #require(account.lives[0].locations.last)
    #expect(last.timestamp.timeIntervalSince(account.start) <= 100)
    #expect(account.state(at: account.start + 101) == .notRunning)
  }

  @Test("The user starts a force-quit app again, and a running app is told that it will end")
  func usersPart() throws {
    var trace = try walk()
    trace.forceQuit(after: 100)
    trace.foreground(after: 200)
    trace.terminate(after: 300)
    let account = try trace.run { _ in Walker(.standard) }
    #expect(account.launches.map(\.reason) == [nil, nil])
    #expect(account.lives[1].log.contains("ends in 5.0 s"))
    #expect(account.lives[1].locations.count > 60)
  }

  @Test("A user who takes the permission back: error 1, and no location from then on")
  func revoked() throws {
    var trace = try walk()
    trace.authorize(.denied, after: 100)
    let account = try trace.run { _ in Walker(.standard) }
    let walker = account.lives[0]
    #expect(
      walker.log == ["authorization 3", "active", "authorization 2", "error kCLErrorDomain 1"])
    #expect(walker.locations.allSatisfy { $0.timestamp <= account.start + 100 })
  }

  @Test("requestLocation brings one position")
  func once() throws {
    let account = try walk().run { _ in Walker(.once) }
    #expect(account.lives[0].locations.count == 1)
  }

  @Test(
    "Denied, requestLocation brings nothing; before a cold receiver's first fix, the network's")
  func onceInVain() throws {
    // A cold start in the pocket takes longer than 10 s.
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    trace.firstStart = .cold
    trace.authorization = .denied
    let denied = try trace.run { _ in Walker(.once) }
    #expect(denied.lives[0].locations.isEmpty)
    // Allowed, the network's position is the best after 10 s.
    trace.authorization = .authorizedAlways
    let allowed = try trace.run { _ in Walker(.once) }
    let position = try #require(allowed.deliveries.first)
    #expect(abs(position.date.timeIntervalSince(allowed.start) - 10) < 0.01)
    // A place where the phone rests has known access points: σ = 25 m per axis, a 68 % radius of 1.51 σ.
    #expect(abs(position.location.horizontalAccuracy - 37.7) < 0.1)
    #expect(allowed.receiverOn == 10)
  }

  @Test("A coarser accuracy costs less: best, 100 m, 1 km, 3 km, reduced")
  func accuracies() throws {
    let trace = try walk()
    let joules = try [
      kCLLocationAccuracyBest, kCLLocationAccuracyNearestTenMeters,
      kCLLocationAccuracyHundredMeters,
      kCLLocationAccuracyKilometer, kCLLocationAccuracyThreeKilometers, kCLLocationAccuracyReduced,
    ].map { accuracy in try trace.run { _ in Walker(.standard, accuracy: accuracy) }.energy }
    #expect(joules[0] == joules[1])
    #expect(zip(joules.dropFirst(), joules.dropFirst(2)).allSatisfy { $0 > $1 })
  }

  @Test("From 1 km on the positions are the network's, the receiver is off, and why says so")
  func network() throws {
    let account = try walk().run { _ in Walker(.standard, accuracy: kCLLocationAccuracyKilometer) }
    #expect(account.receiverOn == 0)
    #expect(account.deliveries.count > 30)
    // 25 m per axis if the Wi-Fi is known, else the cell's 320 m; the receiver's would be 7.5 m.
    let accuracies = Set(account.deliveries.map { Int($0.location.horizontalAccuracy.rounded()) })
    #expect(accuracies == [38, 483])
    #expect(
      account.why(at: account.start + 30.5)
        == "receiver_off: network positions serve an accuracy of 1000 m; the app is active")
  }

  @Test(
    "When in use becomes always where an app asks for it and the user says yes; ios4 has one level")
  func upgrade() throws {
    for (era, asks) in [("today", true), ("ios13", true), ("ios4", false)] {
      var trace = try walk()
      trace.era = era
      trace.authorization = .authorizedWhenInUse
      let account = try trace.run { _ in
        let walker = Walker(.standard)
        if asks { walker.manager.requestAlwaysAuthorization() }
        return walker
      }
      #expect(account.lives[0].log.contains("authorization 3"), "\(era)")
    }
  }

  @Test("In ios4 starting asks the user, who answers; in today's rules nothing comes of it")
  func asksAtStart() throws {
    for (era, answer, locations) in [
      ("ios4", CLAuthorizationStatus?.none, true), ("ios7", .denied, false), ("today", nil, false),
    ] {
      var trace = try walk()
      trace.era = era
      trace.authorization = .notDetermined
      trace.answer = answer
      let account = try trace.run { _ in Walker(.standard) }
      #expect(account.lives[0].locations.isEmpty == !locations, "\(era)")
    }
  }

  @Test(
    "In ios7 nothing relaunches an app that its user swiped away; in the other eras a move does")
  func erasDiffer() throws {
    for (era, launches) in [("ios4", true), ("ios7", false), ("ios13", true), ("today", true)] {
      var trace = try walk()
      trace.era = era
      trace.forceQuit(after: 100)
      trace.seed = 10
      let account = try trace.run { _ in Walker(.significant) }
      #expect((account.launches.count > 1) == launches, "\(era)")
    }
  }

  @Test("Positions carry the altitude that the trace has")
  func altitude() throws {
    // The trace's GGA lines say 3,600 to 3,700 m.
    let account = try walk().run { _ in Walker(.standard) }
    let fresh = account.deliveries.filter { !$0.isCached }
    #expect(fresh.allSatisfy { (3_500...3_800).contains($0.location.altitude) })
  }

  @Test("Without a compass the course is the heading; the filter of a degree is kept")
  func heading() throws {
    let account = try walk().run { _ in Walker(.heading) }
    let walker = try #require(account.lives.first)
    #expect(walker.headings.count > 10)
    #expect(walker.headings.allSatisfy { (0..<360).contains($0.trueHeading) })
    // Magnetic north is unknown in a trace.
    #expect(walker.headings.allSatisfy { $0.magneticHeading == -1 && $0.headingAccuracy > 0 })
    for (before, after) in zip(walker.headings, walker.headings.dropFirst()) {
      let apart = abs(before.trueHeading - after.trueHeading)
      #expect(min(apart, 360 - apart) >= 1)
    }
    #expect(walker.manager.heading === walker.headings.last)
    #expect(walker.locations.isEmpty, "headings alone bring no positions")
    #expect(CLLocationManager.headingAvailable())
  }

  @Test("Stamps are the trace's, and to Date() a position is as old as it was on the device")
  func stamps() throws {
    let begun = Date()
    let recorded = try walk().run { _ in Walker(.standard) }
    #expect(
      recorded.lives[0].locations.allSatisfy {
        $0.timestamp >= recorded.start && $0.timestamp <= recorded.end
      })
    #expect(recorded.lives[0].ages.count > 2_000)
    #expect(recorded.lives[0].ages.allSatisfy { $0.magnitude < 5 })
    // After the replay it is the machine's again: the trace is of another day.
    #expect(Date() >= begun && Date().timeIntervalSince(begun) < 3_600)
    #expect(abs(recorded.start.timeIntervalSince(begun)) > 86_400)
  }

  @Test(
    "Within app code a semaphore waits for as long as it says, by a clock that is not the trace's")
  func waits() throws {
    let account = try walk().run { _ in
      let begun = DispatchTime.now()
      let outcome = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(20))
      return (outcome, DispatchTime.now().uptimeNanoseconds - begun.uptimeNanoseconds)
    }
    #expect(account.lives[0].0 == .timedOut)
    #expect(account.lives[0].1 >= 20_000_000)
  }

  @Test("A rule of the era can be another one; what is none is told with what there is")
  func eraRules() throws {
    // Nothing holds it: suspended 5 s after it entered the background, and purged; an app that opted out ends.
    var trace = try walk()
    trace.background(after: 60)
    trace.eraRules = ["supports_multitasking": false]
    let account = try trace.run { _ in Walker(.standard) }
    #expect(account.state(at: account.start + 66) == .notRunning)
    trace.eraRules = ["task_budget": 8]
    #expect(
      #expect(throws: ReplayError.self) { try trace.run { _ in 0 } }?.description.hasPrefix(
        "eraRules: there is no rule 'task_budget'; known: supports_multitasking, ") == true)
    trace.eraRules = ["task_overrun": "ended"]
    #expect(
      #expect(throws: ReplayError.self) { try trace.run { _ in 0 } }?.description
        == "eraRules: 'ended' is no value of task_overrun, which is one of terminated, suspended")
  }

  @Test("A call interrupts it, a lock puts it away, and a restart ends it without a word")
  func device() throws {
    var trace = try walk()
    trace.call(true, after: 30)
    trace.call(false, after: 40)
    trace.lock(after: 60)
    trace.unlock(after: 62)
    trace.reboot(after: 63)
    let account = try trace.run { _ in Walker(.standard) }
    #expect(account.state(at: account.start + 35) == .inactive)
    #expect(account.state(at: account.start + 45) == .active)
    #expect(account.state(at: account.start + 61) == .background)
    #expect(account.state(at: account.start + 64) == .notRunning)
    #expect(account.lives[0].log.allSatisfy { !$0.hasPrefix("ends in") })
  }

  @Test("The same seed gives the same run")
  func deterministic() throws {
    var trace = try walk()
    trace.background(after: 60)
    trace.policy = "milepost"
    let a = try trace.run { _ in Walker(.significant) }
    let b = try trace.run { _ in Walker(.significant) }
    #expect(a.deliveries.map(\.date) == b.deliveries.map(\.date))
    #expect(a.verdictCounts == b.verdictCounts)
    #expect(a.energy == b.energy)
    #expect(a.energy > 0)
  }

  @Test("What cannot be replayed says so")
  func errors() throws {
    #expect(throws: ReplayError.self) { try ReplayedTrace(Traces.path("no-such.gpx")) }
    var trace = try walk()
    trace.policy = "magic"
    let wrong = #expect(throws: ReplayError.self) { try trace.run { _ in 0 } }
    #expect(wrong?.description.hasPrefix("there is no policy 'magic'; known: ios,") == true)
    struct Refusal: Error {}
    #expect(throws: Refusal.self) { try walk().run { _ in throw Refusal() } }
  }

  @Test("An app that may know its place to 5 km only is told that, and no better")
  func reducedAccuracy() throws {
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    trace.accuracyAuthorization = .reducedAccuracy
    let account = try trace.run { _ in
      let manager = CLLocationManager()
      manager.startUpdatingLocation()
      return manager
    }
    #expect(account.lives[0].accuracyAuthorization == .reducedAccuracy)
    #expect(!account.deliveries.isEmpty)
    #expect(account.deliveries.allSatisfy { $0.location.horizontalAccuracy == 5_000 })
  }
}
