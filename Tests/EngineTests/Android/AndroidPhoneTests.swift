// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import LocationEngine

@Suite("A phone with Android")
struct AndroidPhoneTests {
  private var phone: AndroidPhone
  private var events: [AndroidEvent] = []
  private var now = EngineInstant.zero

  init() {
    phone = AndroidPhone(release: .android14)
    phone.install(AppID(1), .always)
    phone.install(AppID(2), .always)
  }

  private mutating func hear(_ inputs: AndroidInput...) {
    for input in inputs { phone.handle(input, at: now, into: &events) }
  }

  private mutating func wait(_ seconds: Double) {
    let end = now.advanced(bySeconds: seconds)
    while let due = phone.nextDeadline, due <= end {
      now = max(now, due)
      phone.handle(.timePassed, at: now, into: &events)
    }
    now = end
  }

  @Test("Requests of several apps need each source once, at the shortest interval")
  mutating func merged() {
    hear(
      .app(AppID(1), .opened), .requested(AppID(1), FusedRequest(.highAccuracy, every: 10)),
      .app(AppID(2), .opened), .requested(AppID(2), FusedRequest(.highAccuracy, every: 1)))
    #expect(phone.currentNeed == FusedNeed(receiver: 1))
    hear(.requested(AppID(2), FusedRequest(.balanced, every: 60)))
    #expect(phone.currentNeed == FusedNeed(receiver: 10, network: 60))
    hear(.requested(AppID(2), FusedRequest(.passive, every: 0)))
    #expect(phone.currentNeed == FusedNeed(receiver: 10))
    hear(.requested(AppID(1), nil))
    #expect(phone.currentNeed == FusedNeed())
  }

  @Test("The background lengthens a request, and a foreground service does not")
  mutating func background() {
    hear(
      .app(AppID(1), .opened),
      .requested(AppID(1), FusedRequest(.highAccuracy, every: 1, isPending: true)),
      .app(AppID(1), .left))
    #expect(phone.currentNeed == FusedNeed(receiver: 1_800))
    hear(.app(AppID(1), .opened), .app(AppID(1), .startedService(isLocation: true)))
    hear(.app(AppID(1), .left))
    #expect(phone.currentNeed == FusedNeed(receiver: 1))
  }

  @Test("A frozen app costs nothing, and its callback goes on when it is opened")
  mutating func frozen() {
    hear(
      .app(AppID(1), .opened), .requested(AppID(1), FusedRequest(.highAccuracy, every: 1)),
      .app(AppID(1), .left))
    wait(60)
    #expect(phone.life(of: AppID(1))?.state == .frozen)
    #expect(phone.currentNeed == FusedNeed())
    hear(.app(AppID(1), .opened))
    #expect(phone.currentNeed == FusedNeed(receiver: 1))
    hear(.app(AppID(1), .left))
    wait(60)
    hear(.app(AppID(1), .memoryTaken), .app(AppID(1), .opened))
    #expect(phone.currentNeed == FusedNeed())
  }

  @Test("A job of 15 min waits for the windows of Doze, and its app's account says so")
  mutating func jobInDoze() {
    hear(
      .app(AppID(1), .opened), .scheduled(AppID(1), .job(every: 60, lasts: 5)),
      .app(AppID(1), .left), .dozed(.deep))
    wait(3_599)
    #expect(!events.contains(.woken(AppID(1), .job)))
    #expect(events.filter { $0 == .notWoken(AppID(1), .job, .doze) }.count == 1)
    wait(1)
    #expect(events.contains(.woken(AppID(1), .job)))
  }

  @Test("In deep Doze an alarm for idle times goes off every 9 min at most, another one not at all")
  mutating func alarmsInDoze() {
    hear(
      .app(AppID(1), .opened),
      .scheduled(AppID(1), .alarm(every: 60, isExact: true, whileIdle: true)),
      .app(AppID(1), .left), .app(AppID(2), .opened),
      .scheduled(AppID(2), .alarm(every: 60, isExact: true, whileIdle: false)),
      .app(AppID(2), .left), .dozed(.deep))
    wait(3_599)
    // At 60 s, and then every 540 s.
    #expect(events.filter { $0 == .woken(AppID(1), .exactAlarm) }.count == 7)
    #expect(!events.contains(.woken(AppID(2), .exactAlarm)))
  }

  @Test("A rare app runs one job of 10 min a day; a working one every 4 h; charging frees both")
  mutating func buckets() {
    hear(
      .app(AppID(1), .opened), .scheduled(AppID(1), .job(every: 900, lasts: 600)),
      .app(AppID(1), .left), .bucket(AppID(1), .rare))
    hear(
      .app(AppID(2), .opened), .scheduled(AppID(2), .job(every: 900, lasts: 600)),
      .app(AppID(2), .left), .bucket(AppID(2), .workingSet))
    wait(86_399)
    #expect(events.filter { $0 == .woken(AppID(1), .job) }.count == 1)
    #expect(events.contains(.notWoken(AppID(1), .job, .bucket(.rare))))
    #expect(events.filter { $0 == .woken(AppID(2), .job) }.count == 6)
    events = []
    hear(.charging(true))
    wait(3_600)
    #expect(events.filter { $0 == .woken(AppID(1), .job) }.count == 4 + 1)
  }

  @Test("With the battery saver and the screen off only who is seen, or serves, has a location")
  mutating func saver() {
    hear(
      .app(AppID(1), .opened),
      .requested(AppID(1), FusedRequest(.balanced, every: 60, isPending: true)),
      .app(AppID(1), .left), .saver(isOn: true))
    #expect(phone.currentNeed == FusedNeed(network: 1_800))
    hear(.screen(isOn: false))
    #expect(phone.access(of: AppID(1)) == AndroidAccess.none(.batterySaver))
    #expect(phone.currentNeed == FusedNeed())
  }

  @Test("In Android 10 nobody has a location with the battery saver and the screen off")
  func saverOf10() {
    var (phone, events) = (AndroidPhone(release: .android10), [AndroidEvent]())
    phone.install(AppID(1), .always)
    let inputs: [AndroidInput] = [
      .app(AppID(1), .opened), .app(AppID(1), .startedService(isLocation: true)),
      .requested(AppID(1), FusedRequest(.highAccuracy, every: 1)), .app(AppID(1), .left),
      .saver(isOn: true), .screen(isOn: false),
    ]
    for input in inputs { phone.handle(input, at: .zero, into: &events) }
    #expect(phone.access(of: AppID(1)) == AndroidAccess.none(.batterySaver))
    phone.handle(.screen(isOn: true), at: .zero, into: &events)
    #expect(phone.access(of: AppID(1)) == .full)
  }

  @Test(
    "getCurrentLocation asks at once, and is over with a location, after 30 s, or with its process")
  mutating func currentLocation() {
    let place = Fix(
      time: nil, coordinate: Coordinate(clampingLatitude: 48.1, wrappingLongitude: 11.5),
      horizontalAccuracy: 30)
    hear(.app(AppID(1), .opened), .askedOnce(AppID(1), .balanced))
    #expect(phone.currentNeed == FusedNeed(network: 1))
    events = []
    phone.offer(place, at: now, into: &events)
    #expect(events == [.told(AppID(1), [place]), .need(FusedNeed())])
    hear(.askedOnce(AppID(1), .highAccuracy))
    #expect(phone.currentNeed == FusedNeed(receiver: 1))
    wait(30)
    #expect(phone.currentNeed == FusedNeed())
    hear(.askedOnce(AppID(1), .highAccuracy), .app(AppID(1), .crashed))
    #expect(phone.currentNeed == FusedNeed())
    // Unseen, half an hour must have passed since the latest.
    hear(.app(AppID(1), .opened), .askedOnce(AppID(1), .balanced))
    phone.offer(place, at: now, into: &events)
    hear(.app(AppID(1), .left))
    wait(60)
    hear(.app(AppID(1), .woken(.boot)), .askedOnce(AppID(1), .balanced))
    events = []
    phone.offer(place, at: now, into: &events)
    #expect(!events.contains(.told(AppID(1), [place])))
  }

  @Test("A location for a PendingIntent makes a process, at most twice an hour")
  mutating func pendingIntent() {
    hear(
      .app(AppID(1), .opened),
      .requested(AppID(1), FusedRequest(.balanced, every: 60, isPending: true)),
      .app(AppID(1), .left))
    wait(60)
    hear(.app(AppID(1), .memoryTaken))
    let place = Fix(
      time: nil, coordinate: Coordinate(clampingLatitude: 48.1, wrappingLongitude: 11.5),
      horizontalAccuracy: 30)
    events = []
    phone.offer(place, at: now, into: &events)
    #expect(
      events == [
        .woken(AppID(1), .location), .told(AppID(1), [place]),
        .state(AppID(1), from: .notRunning, to: .background),
      ])
    #expect(phone.life(of: AppID(1))?.state == .background)
    wait(600)
    events = []
    phone.offer(place, at: now, into: &events)
    #expect(events == [.notTold(AppID(1), .tooSoon(seconds: 600, of: 1_800))])
  }
}
