// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// What happens to an app, as the keys of a scenario file name it: `on location`.
package enum AppTrigger: String, Sendable, CaseIterable {
  /// Its process began, whoever started it.
  case launch
  /// The system started it for an event; without this one `launch` counts.
  case relaunch
  case foreground
  case background
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
  /// Its background tasks are about to be over.
  case expiration
  case notification
  case authorization
  case audioStopped = "audio stopped"
  /// It is told that it will be ended.
  case termination
}

/// One thing that an app does.
package enum AppStep: Sendable, Equatable {
  // Location -----------------------------------------------------------------------------------------

  /// Asks for the service that the player says: the mode of a comparison's row.
  case track
  case startUpdates(StandardRequest)
  case startSignificant
  case stop(Service)
  /// One location; metres, or −1 for the best.
  case requestLocation(accuracy: Double)
  case monitorMotion(Bool)
  case monitorRegion(Place)
  case stopRegion(String)
  case monitorVisits(Bool)
  /// Degrees from the last heading that it was told, 0 for all; `nil` is no longer.
  case monitorHeading(Double?)
  /// `nil` is no longer.
  case deferUpdates(Deferral?)
  case ask(Authorization)

  // Work ---------------------------------------------------------------------------------------------

  /// Runs code for so many seconds.
  case work(Double)
  /// Bytes each way.
  case transfer(up: Int, down: Int)
  case beginTask(String)
  case endTask(String)
  /// What the handler answers: new data, none, a failure.
  case answer(FetchResult)
  /// Never comes back from this handler.
  case hang
  /// Drops what its other handlers have begun.
  case giveUp

  // Ways of being run --------------------------------------------------------------------------------

  /// Seconds; `nil` is never, 0 as often as the system likes.
  case setFetchInterval(Double?)
  /// Seconds; `nil` is never.
  case setKeepAlive(Double?)
  case watchSocket(Bool)
  case audio(Bool)
  /// A notification, so many seconds from now; its own time is not asked.
  case notify(LocalNotification, after: Double)
  /// `nil` is all.
  case cancelNotification(String?)

  // Ends ---------------------------------------------------------------------------------------------

  case crash
  /// With this exit status.
  case exit(Int32)
}
