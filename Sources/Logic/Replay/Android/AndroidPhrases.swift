// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel

extension AndroidStep {
  /// The possible steps of an Android app, in the order of the documentation.
  package static let phrases: [Phrase<AndroidStep>] = [
    Phrase(
      "geofence <place> [dwell <time>]",
      "registers a geofence; it needs `always`. `dwell` tells of a stay in place of the entry"
    ) { .monitor($0.places["place"] ?? .nowhere, dwell: $0.number("time")) },
    Phrase("remove geofence <place>", "removes it") {
      .stopMonitoring($0.places["place"]?.name ?? "")
    },
    Phrase(
      "request <priority> every <interval> [distance <distance>] [delay <time>] [pending]",
      "asks the fused provider; `pending` for a `PendingIntent`"
    ) { said in
      .request(
        FusedRequest(
          FusedPriority(rawValue: said.text("priority")) ?? .balanced,
          every: said.value("interval"), minDistance: said.value("distance"),
          maxDelay: said.value("time"), isPending: said.has("pending")))
    },
    Phrase("remove request", "takes it back") { _ in .request(nil) },
    Phrase("current location <priority>", "asks once: `getCurrentLocation`, for 30 s at most") {
      .requestOnce(FusedPriority(rawValue: $0.text("priority")) ?? .balanced)
    },
    Phrase("activities", "asks for changes between still and moving") { _ in
      .watchActivities(true)
    },
    Phrase("remove activities", "takes that back") { _ in .watchActivities(false) },
    Phrase("foreground service", "starts one of type `location`") { _ in
      .startService(isLocation: true)
    },
    Phrase("foreground service of another type", "starts one that gives no location") { _ in
      .startService(isLocation: false)
    },
    Phrase("plain service", "starts one without a notification") { _ in .startPlainService },
    Phrase("end service", "ends it") { _ in .endService },
    Phrase("job every <interval> [lasting <time>]", "schedules a periodic job (15 min at least)") {
      .schedule(.job(every: $0.value("interval"), lasts: $0.number("time") ?? 10))
    },
    Phrase("alarm every <interval> [exact] [idle]", "sets an alarm, also for idle times") {
      .schedule(
        .alarm(
          every: $0.value("interval"), isExact: $0.has("exact"), whileIdle: $0.has("idle")))
    },
    Phrase("work <time>", "runs code for so long") { .work($0.value("time")) },
    Phrase("nothing", "stands for a handler without work") { _ in .nothing },
  ]
}

extension AndroidAct {
  /// The possible acts, in the order of the documentation.
  package static let phrases: [Phrase<AndroidAct>] = [
    Phrase("open <app>", "its user opens it; another one in front is put away") {
      .open($0.text("app"))
    },
    Phrase("home", "puts the app in front away") { _ in .home },
    Phrase("screen off", "the screen goes off; the app in front is put away") { _ in
      .screen(isOn: false)
    },
    Phrase("screen on", "somebody looks at the phone, which ends Doze") { _ in .screen(isOn: true)
    },
    Phrase("swipe away <app>", "its user swipes it from the recent apps") {
      .swipeAway($0.text("app"))
    },
    Phrase("user stops <app>", "from the notifications, if it has a foreground service") {
      .userStops($0.text("app"))
    },
    Phrase("force stop <app>", "in the settings: nothing runs it until it is opened") {
      .forceStop($0.text("app"))
    },
    Phrase("vendor stops <app>", "the same by a maker's battery manager: stated, not predicted") {
      .vendorStops($0.text("app"))
    },
    Phrase("take memory of <app>", "the system ends a cached process") {
      .takeMemory($0.text("app"))
    },
    Phrase("permit <app> <permission>", "changes its permission") {
      .permit($0.text("app"), AndroidPermission(rawValue: $0.text("permission")) ?? .denied)
    },
    Phrase("push to <app>", "a message of normal priority") { .wake($0.text("app"), .push) },
    Phrase("high priority push to <app>", "one that lets it start a service") {
      .wake($0.text("app"), .highPriorityPush)
    },
    Phrase("touch notification of <app>", "which counts as sight") {
      .wake($0.text("app"), .userAction)
    },
    Phrase("bucket <bucket> for <app>", "states its standby bucket") {
      .bucket($0.text("app"), StandbyBucket(rawValue: $0.text("bucket")) ?? .active)
    },
    Phrase("charge", "the phone is charged") { _ in .charging(true) },
    Phrase("unplug", "it no longer is") { _ in .charging(false) },
    Phrase("battery saver on", "the user switches it on") { _ in .saver(isOn: true) },
    Phrase("battery saver off", "and off") { _ in .saver(isOn: false) },
    Phrase("doze <doze>", "enters `light` or `deep` Doze at once, or ends it (`awake`)") {
      .doze(DozeMode(rawValue: $0.text("doze")) ?? .awake)
    },
    Phrase("reboot", "the phone starts anew") { _ in .reboot },
    Phrase("nothing", "lets time pass, for a later line to count from") { _ in .nothing },
  ]
}
