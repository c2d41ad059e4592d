// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// An event for an app, as the keys of a scenario file name it: `on location`.
package enum AppTrigger: String, Sendable, CaseIterable {
  /// The process began, for any reason.
  case launch
  /// The system started it for an event; without this handler `launch` counts.
  case relaunch
  /// It comes to the front, also by its launch.
  case foreground
  case background
  /// It becomes active: in front, or after an interruption.
  case active
  /// It is about to be active no longer.
  case inactive
  case location
  case motion
  /// Updates paused since the device rests.
  case pause
  case entering
  case leaving
  case visit
  case heading
  case fetch
  case keepAlive = "keep-alive"
  case socket
  case push
  case locationPush = "location push"
  case newsstand
  case accessory
  case bluetooth
  case boot
  case crash
  /// Its background tasks are about to expire.
  case expiration
  case notification
  case authorization
  case audioStopped = "audio stopped"
  /// It is warned of its end.
  case termination
}

/// One step of an app.
package enum AppStep: Sendable, Equatable {
  // Location -----------------------------------------------------------------------------------------

  /// Requests the service that the player chooses: the mode of a comparison's row.
  case track
  case startUpdates(StandardRequest)
  case startSignificant
  case stop(Service)
  /// A single location; metres, or −1 for the best.
  case requestLocation(accuracy: Double)
  case monitorMotion(Bool)
  case monitorRegion(Place)
  case stopRegion(String)
  case monitorVisits(Bool)
  /// Degrees from the last delivered heading, 0 for all; `nil` stops.
  case monitorHeading(Double?)
  /// `nil` stops.
  case deferUpdates(Deferral?)
  case ask(Authorization)

  // Work ---------------------------------------------------------------------------------------------

  /// Runs code for this many seconds.
  case work(Double)
  /// Bytes each way.
  case transfer(up: Int, down: Int)
  /// Bytes of an issue, which the system fetches also while the app does not run.
  case downloadIssue(Int)
  case beginTask(String)
  case endTask(String)
  /// The handler's answer: new data, none, a failure.
  case answer(FetchResult)
  /// Never returns from this handler.
  case hang
  /// Drops the jobs of its other handlers.
  case giveUp
  /// Stands for a handler without work.
  case nothing

  // Ways of being run --------------------------------------------------------------------------------

  /// Seconds; `nil` is never, 0 as often as the system allows.
  case setFetchInterval(Double?)
  /// Seconds; `nil` is never.
  case setKeepAlive(Double?)
  case watchSocket(Bool)
  case audio(Bool)
  /// A notification, in this many seconds; its own time is ignored.
  case notify(LocalNotification, after: Double)
  /// `nil` is all.
  case cancelNotification(String?)

  // Ends ---------------------------------------------------------------------------------------------

  case crash
  /// With this exit status.
  case exit(Int32)
}
