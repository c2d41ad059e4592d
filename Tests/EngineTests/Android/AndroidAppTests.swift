// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

/// One app, and the instant at which it is.
private struct Bench {
  var app: AndroidApp
  var now = EngineInstant.zero

  init(_ release: AndroidRelease, _ permission: AndroidPermission = .always) {
    app = AndroidApp(release: release, permission: permission)
  }

  @discardableResult
  mutating func hear(_ inputs: AndroidAppInput...) -> AndroidObstacle? {
    var refusal: AndroidObstacle?
    for input in inputs { refusal = app.handle(input, at: now) }
    return refusal
  }

  /// Lets so many seconds pass, deadline by deadline.
  mutating func wait(_ seconds: Double) {
    let end = now.advanced(bySeconds: seconds)
    while let due = app.nextDeadline, due <= end {
      now = due
      app.handle(.timePassed, at: now)
    }
    now = end
  }
}

@Suite("The life of an Android app")
struct AndroidAppTests {
  @Test("An app that is left is cached after 5 s, and frozen where its release freezes")
  func frozen() {
    var old = Bench(.android10)
    old.hear(.opened, .left)
    #expect(old.app.state == .background)
    old.wait(5)
    #expect(old.app.state == .cached)
    old.wait(86_400)
    #expect(old.app.state == .cached)
    var new = Bench(.android14)
    new.hear(.opened, .left)
    new.wait(14.9)
    #expect(new.app.state == .cached)
    new.wait(0.1)
    #expect(new.app.state == .frozen)
  }

  @Test("A service without a notification runs for ever on Android 6, and a minute from 8 on")
  func plainService() {
    var old = Bench(.android6)
    old.hear(.opened, .startedPlainService, .left)
    old.wait(86_400)
    #expect(old.app.state == .background)
    #expect(old.app.access(isPending: false) == .full)
    var new = Bench(.android8)
    new.hear(.opened, .startedPlainService, .left)
    new.wait(59)
    #expect(new.app.state == .background)
    new.wait(1)
    #expect(new.app.state == .cached)
  }

  @Test("From 12 on an app that nobody sees starts a service only for a geofence and the like")
  func startUnseen() {
    for (release, isFree) in [(AndroidRelease.android10, true), (.android12, false)] {
      for (wake, isExempt) in [
        (AndroidWake.geofence, true), (.activity, true), (.boot, true), (.exactAlarm, true),
        (.highPriorityPush, true), (.userAction, true), (.push, false), (.alarm, false),
        (.job, false), (.location, false),
      ] {
        var bench = Bench(release)
        bench.hear(.opened)
        if let promise = wake.promise { bench.hear(.registered(promise)) }
        bench.hear(.left)
        bench.wait(60)
        bench.hear(.woken(wake))
        let refusal = bench.hear(.startedService(isLocation: true))
        #expect(refusal == (isFree || isExempt ? nil : .startNotAllowed), "\(release.name) \(wake)")
      }
    }
  }

  @Test("For 5 s after it was left it may still start one, and then no more")
  func grace() {
    var bench = Bench(.android14, .whileInUse)
    bench.hear(.opened, .left)
    bench.wait(4.9)
    #expect(bench.hear(.startedService(isLocation: true)) == nil)
    #expect(bench.app.access(isPending: false) == .full)
    var late = Bench(.android14, .whileInUse)
    late.hear(.opened, .left)
    late.wait(5)
    #expect(late.hear(.startedService(isLocation: true)) == .notRunning)
  }

  @Test("With *while in use* a service that began unseen has no location, from 11 on")
  func whileInUse() {
    for (release, access) in [
      (AndroidRelease.android10, AndroidAccess.full), (.android12, .none(.serviceBeganUnseen)),
    ] {
      var bench = Bench(release, .whileInUse)
      bench.hear(.woken(.boot))
      #expect(bench.hear(.startedService(isLocation: true)) == nil)
      #expect(bench.app.access(isPending: false) == access, "\(release.name)")
    }
    // From 14 on the start itself throws.
    var bench = Bench(.android14, .whileInUse)
    bench.hear(.woken(.boot))
    #expect(bench.hear(.startedService(isLocation: true)) == .startWithoutAccess)
    #expect(bench.hear(.startedService(isLocation: false)) == nil)
    // A touch on its notification counts as sight.
    var touched = Bench(.android14, .whileInUse)
    touched.hear(.woken(.userAction))
    #expect(touched.hear(.startedService(isLocation: true)) == nil)
    #expect(touched.app.access(isPending: false) == .full)
  }

  @Test("A service of another type gives no more than none, from 10 on")
  func otherType() {
    for (release, access) in [
      (AndroidRelease.android8, AndroidAccess.full), (.android10, .throttled(every: 1_800)),
    ] {
      var bench = Bench(release)
      bench.hear(.opened, .startedService(isLocation: false), .left)
      #expect(bench.app.access(isPending: false) == access, "\(release.name)")
    }
    var inUse = Bench(.android14, .whileInUse)
    inUse.hear(.opened, .startedService(isLocation: false), .left)
    #expect(inUse.app.access(isPending: false) == .none(.serviceOfOtherType))
  }

  @Test(
    "Nobody sees it: everything on 6, twice an hour from 8 on, nothing with *while in use* from 10 on"
  )
  func unseen() {
    for (release, always, inUse) in [
      (AndroidRelease.android6, AndroidAccess.full, AndroidAccess.full),
      (.android8, .throttled(every: 1_800), .throttled(every: 1_800)),
      (.android10, .throttled(every: 1_800), .none(.notInUse)),
    ] {
      for (permission, access) in [
        (AndroidPermission.always, always), (.whileInUse, inUse), (.denied, .none(.denied)),
      ] {
        var bench = Bench(release, permission)
        bench.hear(.opened, .left)
        #expect(bench.app.access(isPending: false) == access, "\(release.name) \(permission)")
      }
    }
  }

  @Test("A geofence needs *always*, and makes a process where there is none")
  func geofence() {
    var bench = Bench(.android14)
    #expect(bench.hear(.woken(.geofence)) == .notRegistered)
    bench.hear(.opened, .registered(.geofence), .left)
    bench.wait(60)
    bench.hear(.memoryTaken)
    #expect(bench.app.state == .notRunning)
    #expect(bench.hear(.woken(.geofence)) == nil)
    #expect(bench.app.state == .background)
    bench.wait(10)
    #expect(bench.app.state == .cached)
    bench.hear(.permitted(.whileInUse))
    #expect(bench.app.state == .notRunning)
    #expect(bench.hear(.woken(.geofence)) == .notInUse)
  }

  @Test("A reboot takes geofences and alarms with it, and leaves jobs")
  func reboot() {
    var bench = Bench(.android14)
    bench.hear(
      .opened, .registered(.geofence), .registered(.alarm), .registered(.job), .rebooted)
    #expect(bench.app.state == .notRunning)
    #expect(bench.hear(.woken(.geofence)) == .notRegistered)
    #expect(bench.hear(.woken(.alarm)) == .notRegistered)
    #expect(bench.hear(.woken(.job)) == nil)
  }

  @Test("A forced stop lasts until its user opens it; from 15 on its geofences are gone then")
  func stopped() {
    for (release, refusal) in [
      (AndroidRelease.android14, nil), (.android16, AndroidObstacle.notRegistered),
    ] {
      var bench = Bench(release)
      bench.hear(.opened, .registered(.geofence), .forceStopped, .rebooted)
      #expect(bench.app.state == .stopped)
      for wake in AndroidWake.allCases { #expect(bench.hear(.woken(wake)) == .stopped) }
      #expect(bench.app.access(isPending: true) == .none(.stopped))
      bench.hear(.opened)
      #expect(bench.app.state == .foreground)
      // The reboot took it in any release.
      #expect(bench.hear(.woken(.geofence)) == .notRegistered)
      var other = Bench(release)
      other.hear(.opened, .registered(.geofence), .forceStopped, .opened)
      #expect(other.hear(.woken(.geofence)) == refusal, "\(release.name)")
    }
  }

  @Test("The user ends an app with a foreground service from 13 on; what was promised remains")
  func userStops() {
    for (release, state) in [
      (AndroidRelease.android12, AndroidAppState.foregroundService), (.android14, .notRunning),
    ] {
      var bench = Bench(release)
      bench.hear(.opened, .registered(.geofence), .startedService(isLocation: true), .left)
      bench.hear(.stoppedByUser)
      #expect(bench.app.state == state, "\(release.name)")
      #expect(bench.hear(.woken(.geofence)) == nil)
    }
  }

  @Test("Swiped away, an app lives on with a foreground service, and ends without")
  func swiped() {
    var serving = Bench(.android14)
    serving.hear(.opened, .startedService(isLocation: true), .swipedAway)
    #expect(serving.app.state == .foregroundService)
    var plain = Bench(.android14)
    plain.hear(.opened, .swipedAway)
    #expect(plain.app.state == .notRunning)
  }

  @Test(
    "A callback ends with its process and stands still in a frozen one; a PendingIntent does not")
  func pending() {
    var bench = Bench(.android14)
    bench.hear(.opened, .left)
    bench.wait(60)
    #expect(bench.app.access(isPending: false) == .none(.frozen))
    #expect(bench.app.access(isPending: true) == .throttled(every: 1_800))
    bench.hear(.memoryTaken)
    #expect(bench.app.access(isPending: false) == .none(.notRunning))
    #expect(bench.app.access(isPending: true) == .throttled(every: 1_800))
  }
}
