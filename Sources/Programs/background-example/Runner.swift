// SPDX-License-Identifier: Apache-2.0

// 2024. Two loops: live updates, which a background activity session keeps going, and the events of a monitor. The
// order of simultaneous events between them is unspecified, so neither uses the other's state.
import BackgroundExecution

actor Runner {
  /// Metres.
  private static let mile = 1_609.344
  private(set) var distance: CLLocationDistance = 0
  private(set) var isHome: Bool?
  private var last: CLLocation?
  /// The output for the app's events.
  private let say: @Sendable (String) -> Void

  init(say: @escaping @Sendable (String) -> Void = { _ in }) { self.say = say }

  /// Runs until its task is cancelled.
  func run(home: CLLocationCoordinate2D) async {
    let activity = CLBackgroundActivitySession()
    defer { activity.invalidate() }
    let monitor = await CLMonitor("places")
    if await monitor.record(for: "home") == nil {
      await monitor.add(
        CLMonitor.CircularGeographicCondition(center: home, radius: 300), identifier: "home")
    }
    async let updates: Void = followUpdates()
    async let events: Void = watch(monitor)
    _ = await (updates, events)
  }

  private func followUpdates() async {
    do {
      for try await update in CLLocationUpdate.liveUpdates(.fitness) {
        guard let location = update.location, !update.stationary else { continue }
        let miles = Int(distance / Self.mile)
        if let last { distance += location.distance(from: last) }
        last = location
        for mile in 0..<Int(distance / Self.mile) where mile >= miles { say("mile \(mile + 1)") }
      }
    } catch {}
  }

  private func watch(_ monitor: CLMonitor) async {
    do {
      for try await event in await monitor.events where event.identifier == "home" {
        isHome = event.state == .satisfied
        say(event.state == .satisfied ? "home" : "away")
      }
    } catch {}
  }
}
