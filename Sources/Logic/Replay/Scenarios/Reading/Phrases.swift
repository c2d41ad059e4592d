// SPDX-License-Identifier: Apache-2.0

import LocationModel

extension AppStep {
  /// The possible steps of an app, in the order of the documentation.
  package static let phrases: [Phrase<AppStep>] = location + work + waysOfBeingRun + ends

  private static let location: [Phrase<AppStep>] = [
    Phrase("track", "asks for the service that the comparison, or `--mode`, says") { _ in .track },
    Phrase(
      "start standard [accuracy <accuracy>] [filter <filter>] [pausing]",
      "starts standard updates; with the mode `location` they are continuous"
    ) { said in
      var request = StandardRequest()
      request.desiredAccuracy = said.number("accuracy") ?? request.desiredAccuracy
      request.distanceFilter = said.number("filter")
      request.pausesAutomatically = said.has("pausing")
      return .startUpdates(request)
    },
    Phrase("start significant", "monitors significant changes") { _ in .startSignificant },
    Phrase("stop <updates>", "stops that service") {
      .stop(Service(rawValue: $0.text("updates")) ?? .standard)
    },
    Phrase("request location [accuracy <accuracy>]", "asks for one location") {
      .requestLocation(accuracy: $0.number("accuracy") ?? -1)
    },
    Phrase("monitor motion", "wants to be woken by motion, as often as the sensor feels it") { _ in
      .monitorMotion(true)
    },
    Phrase("stop motion", "no longer") { _ in .monitorMotion(false) },
    Phrase("monitor region <place>", "monitors the circle of a place") {
      .monitorRegion($0.places["place"] ?? .nowhere)
    },
    Phrase("stop region <place>", "no longer") {
      .stopRegion($0.places["place"]?.name ?? "")
    },
    Phrase("monitor visits", "wants to be told of arrivals and departures") { _ in
      .monitorVisits(true)
    },
    Phrase("stop visits", "no longer") { _ in .monitorVisits(false) },
    Phrase(
      "monitor heading [every <angle>]", "wants to be told where the device points to, or moves to"
    ) { .monitorHeading($0.number("angle") ?? 0) },
    Phrase("stop heading", "no longer") { _ in .monitorHeading(nil) },
    Phrase(
      "defer updates [until <distance>] [for <time>]",
      "has its updates kept back in the background, so far or so long"
    ) { .deferUpdates(Deferral(distance: $0.number("distance"), timeout: $0.number("time"))) },
    Phrase("deliver updates", "no longer") { _ in .deferUpdates(nil) },
    Phrase("ask for <wish>", "asks the user for an authorization; the user grants it") {
      .ask(Authorization(rawValue: $0.text("wish")) ?? .always)
    },
  ]

  private static let work: [Phrase<AppStep>] = [
    Phrase("work <time>", "runs code for so long") { .work($0.value("time")) },
    Phrase("upload <data>", "sends so much over the network") {
      .transfer(up: Int($0.value("data").rounded()), down: 0)
    },
    Phrase("download <data>", "fetches so much over the network") {
      .transfer(up: 0, down: Int($0.value("data").rounded()))
    },
    Phrase(
      "download issue <data>",
      "has the system fetch so much of an issue; its end, or failure, is an event `newsstand`"
    ) { .downloadIssue(Int($0.value("data").rounded())) },
    Phrase("begin task <task>", "begins a background task of this name") {
      .beginTask($0.text("task"))
    },
    Phrase("end task <task>", "ends it") { .endTask($0.text("task")) },
    Phrase("answer <result>", "says what the fetch came to (without it: `new_data`)") {
      .answer(FetchResult(rawValue: $0.text("result")) ?? .newData)
    },
    Phrase("give up", "drops what its other handlers have begun") { _ in .giveUp },
    Phrase("hang", "never comes back from this handler") { _ in .hang },
    Phrase("nothing", "stands for a handler without work") { _ in .nothing },
  ]

  private static let waysOfBeingRun: [Phrase<AppStep>] = [
    Phrase("fetch every <interval>", "sets the minimum interval of its background fetch") {
      .setFetchInterval($0.value("interval"))
    },
    Phrase("fetch often", "lets the system fetch as often as it likes") { _ in
      .setFetchInterval(0)
    },
    Phrase("fetch never", "wants no background fetch") { _ in .setFetchInterval(nil) },
    Phrase(
      "keep alive every <interval>",
      "sets its keep-alive handler, at least \(Int(KeepAlive.shortest)) s"
    ) {
      .setKeepAlive($0.value("interval"))
    },
    Phrase("keep alive never", "takes it away") { _ in .setKeepAlive(nil) },
    Phrase("open socket", "hands its signalling socket over") { _ in .watchSocket(true) },
    Phrase("close socket", "takes it back") { _ in .watchSocket(false) },
    Phrase("play audio", "begins to play") { _ in .audio(true) },
    Phrase("stop audio", "ends to play") { _ in .audio(false) },
    Phrase(
      "notify <notification> [in <time>] [every <unit>] [zone <offset>] [badge <count>] [sound <sound>]",
      "schedules a local notification, now or later; it repeats by the calendar of a zone such as `+02:00`"
    ) { said in
      var notification = LocalNotification(said.text("notification"))
      notification.repeats = CalendarUnit(rawValue: said.text("unit"))
      notification.zone = said.number("offset").flatMap(CivilZone.init(offset:))
      notification.badge = said.number("count").map { Int($0) }
      notification.sound = said.has("sound") ? said.text("sound") : nil
      return .notify(notification, after: said.value("time"))
    },
    Phrase("cancel notification <notification>", "cancels one") {
      .cancelNotification($0.text("notification"))
    },
    Phrase("cancel notifications", "cancels all") { _ in .cancelNotification(nil) },
  ]

  private static let ends: [Phrase<AppStep>] = [
    Phrase("crash", "ends by a signal") { _ in .crash },
    Phrase("exit [with <status>]", "ends by itself, with this exit status (0)") {
      .exit(Int32($0.value("status")))
    },
  ]
}

extension Happening {
  /// The possible acts of user, system and world, in the order of the documentation.
  package static let phrases: [Phrase<Happening>] = [
    Phrase("open <app>", "comes to the app, or starts it; another one in front is put away") {
      .open($0.text("app"))
    },
    Phrase("home", "puts the app in front away") { _ in .home },
    Phrase("lock", "locks the device; the app in front is put away") { _ in .lock },
    Phrase("unlock", "unlocks it") { _ in .device(.unlocked) },
    Phrase("force quit <app>", "swipes the app away") { .forceQuit($0.text("app")) },
    Phrase(
      "allow <app> <level> [with <exactness> accuracy]",
      "changes what the app may know, and how exactly (`full`, `reduced`)"
    ) {
      .authorize(
        $0.text("app"), Authorization(rawValue: $0.text("level")) ?? .always,
        LocationAccuracy(rawValue: $0.text("exactness")))
    },
    Phrase("call", "a call comes in: the app in front is interrupted, and nothing plays") { _ in
      .device(.call(true))
    },
    Phrase("call over", "it is over") { _ in .device(.call(false)) },
    Phrase("push to <app>", "a push comes in for the app") { .event($0.text("app"), .push) },
    Phrase("location push to <app>", "a push asks the app where it is") {
      .event($0.text("app"), .locationPush)
    },
    Phrase("data for <app>", "its watched socket has data") { .event($0.text("app"), .socket) },
    Phrase("issue for <app>", "a newsstand issue is announced") {
      .event($0.text("app"), .newsstand)
    },
    Phrase("accessory data for <app>", "its accessory has data") {
      .event($0.text("app"), .accessory)
    },
    Phrase("bluetooth data for <app>", "its peripheral has data") {
      .event($0.text("app"), .bluetooth)
    },
    Phrase("terminate <app>", "the system ends the app in order: it is told, and has 5 s") {
      .terminate($0.text("app"))
    },
    Phrase("purge <app>", "the system takes the memory of a suspended app") {
      .purge($0.text("app"))
    },
    Phrase("memory pressure <memory>", "so much memory is needed") {
      .device(.memoryNeeded(megabytes: $0.value("memory")))
    },
    Phrase("network lost", "there is no network") { _ in .network(false) },
    Phrase("network back", "there is one again") { _ in .network(true) },
    Phrase("low power on", "the battery is low") { _ in .device(.lowPower(true)) },
    Phrase("low power off", "it no longer is") { _ in .device(.lowPower(false)) },
    Phrase("background refresh on", "the user allows background refresh") { _ in
      .device(.backgroundRefresh(true))
    },
    Phrase("background refresh off", "the user forbids it") { _ in
      .device(.backgroundRefresh(false))
    },
    Phrase("reboot", "the device starts anew") { _ in
      .device(.rebooted(isLocked: true))
    },
    Phrase("nothing", "lets time pass, for a later line to count from") { _ in .nothing },
  ]
}
