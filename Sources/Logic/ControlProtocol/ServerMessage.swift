// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

/// A message of the daemon to a client: one JSON object per line, with a `class`.
package enum ServerMessage: Sendable, Equatable, Codable {
  // To an app -------------------------------------------------------------------------------------

  /// Answer to `hello`.
  indirect case welcome(Welcome)
  /// `LOCATION`: one delivery, to be acknowledged by its number.
  case location(Delivery, received: UTCInstant)
  /// `STATE`: the app's state changed. Before a suspension nothing is sent, as on a phone.
  case state(AppState)
  /// `WILL_TERMINATE`: `seconds` are left.
  case willTerminate(seconds: Double)
  case authorization(Authorization)
  /// `ACCURACY`: the user sets the app's location accuracy.
  case accuracy(LocationAccuracy)
  /// `PAUSED`: updates paused since the device rests; the app must start them again.
  case paused
  /// `MOTION`: the device moves.
  case motion
  /// `LOST`: the outbox was full, and `count` of the oldest deliveries of this app were dropped.
  case lost(count: UInt64)
  /// `NO_FIX`: there is no location now, and why; the service goes on trying.
  case noFix(String)
  /// `REQUEST_FAILED`: the request for a single location ended without one, and why.
  case requestFailed(String)

  /// `WAKE`: the app is called for a reason other than a location, and has `seconds`; `nil` if there is no limit.
  case wake(WakeReason, seconds: Double?)
  /// `TASKS_EXPIRE`: these background tasks must end within `seconds`.
  case tasksExpire([UInt32], seconds: Double)
  /// `TIME_REMAINING`: the seconds left; `nil` if there is no limit.
  case timeRemaining(Double?)
  /// `AUDIO_STOPPED`: the mode is not declared and the app has left the foreground, the app in the foreground plays, or
  /// there is a call.
  case audioStopped
  /// `NOTIFICATION`: one that is due while the app is active, in place of an alert.
  indirect case notification(LocalNotification)
  case notifications([LocalNotification])
  /// `REGION`: a region was entered or left, or an answer to the question for its state.
  indirect case region(RegionNotice)
  /// `VISIT`: the device came to a place and stayed, or left it.
  indirect case visit(VisitNotice)
  /// `REGION_FAILED`: the region of this identifier is not monitored, and why.
  case regionFailed(String, reason: String)

  /// `HEADING`: the device's heading.
  indirect case heading(HeadingNotice)
  /// `DEFERRED_END`: the deferral of updates ended, or was refused, and why.
  case deferralEnded(Deferral.End)

  // To a gpsd client ------------------------------------------------------------------------------

  case version(release: String)
  case devices([Device])
  case watch(isOn: Bool)
  /// `WATCH` of a client that asked for NMEA, and for reports besides it if `json`.
  case watchSentences(json: Bool)
  /// NMEA 0183 unchanged, with its line ends; no object.
  case sentences(String)
  /// `SKY`: the receiver's view of the sky.
  indirect case sky(Sky, device: String)
  /// `TPV`: a position in gpsd's form.
  indirect case report(Fix, device: String)
  /// `POLL`: the last position, and the time of the request, UTC of the host.
  indirect case poll(Fix?, device: String, at: UTCInstant, sky: Sky? = nil)

  // To the user -----------------------------------------------------------------------------------

  case ok
  case error(code: ErrorCode, String)
  /// Before an answer: the request is done, but not all is well.
  case warning(code: ErrorCode, String)
  /// `STATUS`, `APPS`, `APP`, `LOG`, `EXPLANATION`: a document, already in JSON, with its class.
  case document(json: String)

  package struct Welcome: Sendable, Equatable, Codable {
    /// Version of Milepost.
    package var release: String
    package var app: String
    package var state: AppState
    package var authorization: Authorization
    /// The reason why the daemon started this process; `nil` if the user did.
    package var launchReason: WakeReason?
    /// Whether significant changes are monitored for this app now (re-armed after a relaunch).
    package var monitorsSignificantChanges: Bool
    /// The number of the last acknowledged delivery; 0 before the first.
    package var acknowledged: UInt64
    /// The regions and visits monitored for this app now; `nil` if there are none.
    package var places: MonitoredPlaces?
    /// The newest known position, with its time; `nil` if there is none, if the app may not know it, and for a launch
    /// for a location, which brings its own.
    package var location: Fix?
    /// The app's location accuracy; `nil` is full.
    package var accuracy: LocationAccuracy?
    /// Whether the era defers updates at an app's request; `nil` is no.
    package var defersUpdates: Bool?
    /// Whether its notifications reach the user: allowed, or no permission is needed; `nil` is no.
    package var mayNotify: Bool?
    /// Whether it runs only in the foreground, since it has opted out of multitasking or the device has
    /// none; `nil` is no.
    package var isFrontOnly: Bool?
    /// Whether background refresh is switched off; `nil` is no.
    package var refreshIsOff: Bool?

    package init(
      release: String, app: String, state: AppState, authorization: Authorization,
      launchReason: WakeReason?, monitorsSignificantChanges: Bool, acknowledged: UInt64,
      places: MonitoredPlaces? = nil, location: Fix? = nil, accuracy: LocationAccuracy? = nil,
      defersUpdates: Bool? = nil, mayNotify: Bool? = nil, isFrontOnly: Bool? = nil,
      refreshIsOff: Bool? = nil
    ) {
      self.release = release
      self.app = app
      self.state = state
      self.authorization = authorization
      self.launchReason = launchReason
      self.monitorsSignificantChanges = monitorsSignificantChanges
      self.acknowledged = acknowledged
      self.places = places
      self.location = location
      self.accuracy = accuracy
      self.defersUpdates = defersUpdates
      self.mayNotify = mayNotify
      self.isFrontOnly = isFrontOnly
      self.refreshIsOff = refreshIsOff
    }
  }

  package struct Device: JSONObject, Equatable, Codable {
    package var path: String
    package var driver: String?
    /// The time of its opening, UTC; `nil` while it is closed, or if unknown.
    package var activated: UTCInstant?

    package init(path: String, driver: String?, activated: UTCInstant? = nil) {
      self.path = path
      self.driver = driver
      self.activated = activated
    }

    package static let empty = Self(path: "", driver: nil)
    package static let table = JSONTable<Self> { device in
      device.constant("class", "DEVICE")
      device.field("path", \.path)
      device.option("driver", \.driver, String.json)
      device.option("activated", \.activated, UTCInstant.json)
    }
  }

  /// What was wrong with a message; the raw values stand in JSON.
  package enum ErrorCode: String, Sendable, JSONWord, Codable {
    /// Not a message: wrong form, not JSON, unknown name or member.
    case malformed
    case tooLong = "too_long"
    case tooMany = "too_many"
    case unknownApp = "unknown_app"
    case notAnApp = "not_an_app"
    case alreadyConnected = "already_connected"
    case badManifest = "bad_manifest"
    case duplicateApp = "duplicate_app"
    case denied
    case held
    case notPossible = "not_possible"
    case storage
  }
}

// MARK: Classes and members

extension ServerMessage {
  /// All messages except documents; the most frequent one first.
  static let forms = ownForms + placeForms + headingForms + deferralForms + backgroundForms

  private static let ownForms: [MessageForm<ServerMessage>] = [
    .init(
      "LOCATION", DeliveredLocation(), DeliveredLocation.table,
      { .location($0.delivery, received: $0.received) }
    ) {
      if case .location(let delivery, let received) = $0 {
        DeliveredLocation(delivery, received: received)
      } else {
        nil
      }
    },
    .init("WELCOME", Welcome.empty, Welcome.table, ServerMessage.welcome) {
      if case .welcome(let welcome) = $0 { welcome } else { nil }
    },
    .init("STATE", "state", AppState.json, ServerMessage.state) {
      if case .state(let state) = $0 { state } else { nil }
    },
    .init(
      "WILL_TERMINATE", "remaining_s", .number(in: 0...1e15), { .willTerminate(seconds: $0) }
    ) {
      if case .willTerminate(let seconds) = $0 { seconds } else { nil }
    },
    .init("AUTHORIZATION", "authorization", Authorization.json, ServerMessage.authorization) {
      if case .authorization(let level) = $0 { level } else { nil }
    },
    .init("ACCURACY", "accuracy", LocationAccuracy.json, ServerMessage.accuracy) {
      if case .accuracy(let accuracy) = $0 { accuracy } else { nil }
    },
    .init("PAUSED", .paused), .init("MOTION", .motion),
    .init("LOST", "count", UInt64.json, { .lost(count: $0) }) {
      if case .lost(let count) = $0 { count } else { nil }
    },
    .init("NO_FIX", "reason", String.json, ServerMessage.noFix) {
      if case .noFix(let reason) = $0 { reason } else { nil }
    },
    .init("REQUEST_FAILED", "reason", String.json, ServerMessage.requestFailed) {
      if case .requestFailed(let reason) = $0 { reason } else { nil }
    },
    .init("OK", .ok),
    .init("ERROR", ("", .malformed), complaint, { .error(code: $0.1, $0.0) }) {
      if case .error(let code, let message) = $0 { (message, code) } else { nil }
    },
    .init("WARNING", ("", .malformed), complaint, { .warning(code: $0.1, $0.0) }) {
      if case .warning(let code, let message) = $0 { (message, code) } else { nil }
    },
    .init("VERSION", "", GPSDObjects.version, { .version(release: $0) }) {
      if case .version(let release) = $0 { release } else { nil }
    },
    .init("DEVICES", "devices", [Device].json, ServerMessage.devices) {
      if case .devices(let devices) = $0 { devices } else { nil }
    },
    .init(
      "WATCH", GPSDWatch(), GPSDObjects.watch,
      { $0.nmea ? .watchSentences(json: $0.json) : .watch(isOn: $0.isOn) }
    ) {
      if case .watch(let isOn) = $0 { return GPSDWatch(isOn: isOn, json: isOn) }
      guard case .watchSentences(let json) = $0 else { return nil }
      return GPSDWatch(isOn: true, json: json, nmea: true)
    },
    .init(
      "SKY", GPSDSkyReport(), GPSDSkyReport.table, { .sky($0.sky, device: $0.device ?? "") }
    ) {
      if case .sky(let sky, let device) = $0 {
        GPSDSkyReport(device: device, sky: sky)
      } else {
        nil
      }
    },
    .init(
      "TPV", GPSDReport(), GPSDReport.table,
      { report in
        report.fix.map { .report($0, device: report.device ?? "") }
      },
      {
        if case .report(let fix, let device) = $0 { GPSDReport(fix, device: device) } else { nil }
      }),
    .init(
      "POLL", GPSDPoll(), GPSDPoll.table,
      {
        .poll(
          $0.reports.first?.fix, device: $0.reports.first?.device ?? "", at: $0.time,
          sky: $0.skies.first?.sky)
      }
    ) {
      if case .poll(let fix, let device, let time, let sky) = $0 {
        GPSDPoll(
          time: time, reports: [GPSDReport(fix, device: device)],
          skies: sky.map { [GPSDSkyReport(device: device, sky: $0)] } ?? [])
      } else {
        nil
      }
    },
  ]

  /// gpsd's own errors have no code; an unknown code is read as `malformed`.
  private static let complaint = JSONTable<(String, ErrorCode)> { error in
    error.field("message", \.0)
    error.option(
      "code", \.1,
      JSONForm(
        ErrorCode.json.shape, "a text", write: ErrorCode.json.write,
        convert: { $0.string.map { ErrorCode(rawValue: $0) ?? .malformed } }),
      where: { _ in true })
  }
}

extension ServerMessage.Welcome {
  fileprivate static let empty = Self(
    release: "", app: "", state: .notRunning, authorization: .notDetermined, launchReason: nil,
    monitorsSignificantChanges: false, acknowledged: 0)
  fileprivate static let table = JSONTable<Self> { welcome in
    welcome.field("release", \.release)
    welcome.field("app", \.app)
    welcome.field("state", \.state)
    welcome.field("authorization", \.authorization)
    welcome.field("launch_reason", \.launchReason, .knownOrNull)
    welcome.field("monitors_significant_changes", \.monitorsSignificantChanges)
    welcome.field("acknowledged", \.acknowledged)
    welcome.option("places", \.places, MonitoredPlaces.json)
    welcome.option("location", \.location, Fix.json)
    welcome.option("accuracy", \.accuracy, LocationAccuracy.json)
    welcome.option("defers_updates", \.defersUpdates, Bool.json)
    welcome.option("may_notify", \.mayNotify, Bool.json)
    welcome.option("front_only", \.isFrontOnly, Bool.json)
    welcome.option("refresh_is_off", \.refreshIsOff, Bool.json)
  }
}

/// The members of `LOCATION`; a handler's stdin has the same.
struct DeliveredLocation: Sendable, Equatable {
  var sequence: UInt64 = 0
  var service = Service.standard
  var received = UTCInstant.epoch
  var isCached = false
  /// Whether it is one of several that were kept back and come together: `DEFERRED_END` follows the last.
  var isDeferred = false
  var moved: Double?
  var since: Double?
  var fix = Fix.empty

  init() {}

  init(_ delivery: Delivery, received: UTCInstant) {
    sequence = delivery.sequence
    service = delivery.service
    self.received = received
    isCached = delivery.isCached
    isDeferred = delivery.occasion == .deferral
    moved = delivery.moved
    since = delivery.since
    fix = delivery.fix
  }

  var delivery: Delivery {
    Delivery(
      sequence: sequence, service: service, fix: fix, isCached: isCached, moved: moved,
      since: since,
      occasion: isDeferred ? .deferral : nil)
  }

  static let table = JSONTable<Self> { location in
    location.member("sequence", UInt64.json, isRequired: true, get: \.sequence) { $0.sequence = $1 }
    location.member("service", Service.json, isRequired: true, get: \.service) { $0.service = $1 }
    location.member("received", UTCInstant.json, isRequired: true, get: \.received) {
      $0.received = $1
    }
    location.member("cached", Bool.json, isRequired: true, get: \.isCached) { $0.isCached = $1 }
    location.option("deferred", \.isDeferred, Bool.json, where: \.isDeferred)
    location.nullable("moved_m", .number(in: 0...1e15, decimals: 1), get: \.moved) {
      $0.moved = $1
    }
    location.nullable("since_s", .number(decimals: 3), get: \.since) { $0.since = $1 }
    location.member("fix", .shared, isRequired: true, get: \.fix) { $0.fix = $1 }
  }
}
