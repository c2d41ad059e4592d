// SPDX-License-Identifier: Apache-2.0

import JSONText
package import LocationModel

/// A message of a client to the daemon: one line `?NAME;` or `?NAME={...};`, in gpsd's manner. It is sorted by who
/// decides about it.
package enum ClientMessage: Sendable, Equatable, Codable {
  // Large cases are `indirect`: most messages are acknowledgements, and one passes through several queues.

  /// The app's name. The first message of an app.
  case hello(Hello)
  /// Said by an app about its locations.
  case app(App)
  /// Said by an app that works in the background.
  case background(Background)
  /// Said by an ordinary gpsd client.
  case gpsd(GPSD)
  /// Said by the user.
  case user(User)

  /// What an app says about its locations.
  package enum App: Sendable, Equatable, Codable {
    /// Starts, or changes, one location service.
    indirect case start(ServiceRequest)
    case stop(Service)
    /// A single location; metres, or one of Core Location's negative constants. Answered by a location, or by
    /// `REQUEST_FAILED`.
    case requestLocation(accuracy: Double = -1)
    /// A wake when the device begins to move (`true`), or none any longer.
    case monitorMotion(Bool)
    /// Asks the user, who answers with `milepost apps authorize`.
    case requestAuthorization(Authorization)
    /// The delivery of this number, and all before it, need not be sent again.
    case acknowledge(UInt64)
    /// The work for which the app was woken is done.
    case done
    /// Monitors a region, in place of one of the same identifier.
    indirect case monitorRegion(MonitoredRegion)
    /// Stops monitoring the region of this identifier.
    case stopMonitoringRegion(String)
    /// Whether the device is in the region of this identifier; answered by a `REGION`.
    case requestRegionState(String)
    /// Monitors visits (`true`), or stops.
    case monitorVisits(Bool)
    indirect case heading(HeadingRequest)
    indirect case deferUpdates(DeferralRequest)
  }

  /// What an app says that works in the background.
  package enum Background: Sendable, Equatable, Codable {
    case beginTask(id: UInt32, name: String)
    case endTask(UInt32)
    /// The remaining running time; answered by `TIME_REMAINING`.
    case timeRemaining
    /// The app's fetch interval, seconds; `nil` is never.
    case setFetchInterval(Double?)
    /// The interval of the app's keep-alive handler, seconds; `nil` removes it.
    case setKeepAlive(Double?)
    case watchSocket(Bool)
    case audio(Bool)
    /// A handler has returned: of a fetch with its result, of a keep-alive, of a push or a location push.
    case returned(WakeReason, FetchResult?)
    indirect case schedule(LocalNotification)
    /// `nil` cancels all.
    case cancelNotification(String?)
    /// Pending notifications; answered by `NOTIFICATIONS`.
    case notifications
  }

  /// What an ordinary gpsd client says.
  package enum GPSD: Sendable, Equatable, Codable {
    case version
    case devices
    /// `enable` and `json` of `?WATCH`; gpsd's other members are accepted and change nothing.
    case watch(isOn: Bool)
    /// `nmea` or `raw` of `?WATCH`: sentences are wanted, and reports besides them if `json`.
    case watchSentences(json: Bool)
    case poll
  }

  /// What the user asks and orders.
  package enum User: Sendable, Equatable, Codable {
    case status
    /// The status, and the reason why each app hears nothing.
    case overview
    /// The device's positions and events, from one instant to before another.
    case history(from: UTCInstant, to: UTCInstant, count: Int)
    /// Reads the configuration again.
    case reload
    case device(DeviceEvent)
    /// Deletes remembered positions, as far as stated; answered by `FORGOTTEN`.
    indirect case forget(Forgetting)
    case apps
    case app(String)
    /// Registers an app: the text of its manifest, and the file's name, whose ending gives the form.
    indirect case add(Manifest)
    /// Replaces the manifest of a registered app; its waiting events and its authorization stay.
    indirect case update(Manifest)
    case remove(String)
    /// Sets an app's authorization and accuracy; a `nil` accuracy leaves it unchanged.
    case authorize(String, Authorization, LocationAccuracy? = nil)
    case control(String, AppControl)
    /// The newest entries of an app's log, at most `count`; of the daemon's log if the name is empty.
    case log(String, count: Int)
    /// The reason why an app hears nothing now.
    case explain(String)
    /// The given-up deliveries of an app.
    case events(String)
    /// Resends given-up deliveries: the one of this number, or with `nil` all.
    case resend(String, UInt64?)
    /// Discards given-up deliveries: the one of this number, or with `nil` all.
    case discard(String, UInt64?)
    /// An event that arrives for an app, such as a push.
    case event(String, WakeReason)
    /// The sinks: destinations of events without a program.
    case sinks
    /// Whether a sink's other side is reachable and would accept deliveries; sends no position.
    case trySink(String)
  }

  package struct Hello: Sendable, Equatable, Codable {
    /// The registered name. The kernel decides whether the process is that app's: by its process group.
    package var app: String

    package init(app: String) { self.app = app }
  }

  package struct ServiceRequest: Sendable, Equatable, Codable {
    /// `.standard` or `.significant`; standard updates of an app with the declared mode are continuous.
    package var service: Service
    /// For standard updates only.
    package var request: StandardRequest

    package init(_ service: Service, _ request: StandardRequest = StandardRequest()) {
      self.service = service
      self.request = request
    }
  }

  package struct Manifest: Sendable, Equatable, Codable {
    /// `walker.yaml`: the last part of the path.
    package var file: String
    /// The file's folder, for commands relative to it.
    package var directory: String
    /// The file's bytes; base64 on the wire, since an Info.plist may be binary.
    package var bytes: [UInt8]
    /// The program and its arguments, in place of the file's; `nil` leaves them to the file.
    package var command: [String]?

    package init(file: String, directory: String, bytes: [UInt8], command: [String]? = nil) {
      self.file = file
      self.directory = directory
      self.bytes = bytes
      self.command = command
    }
  }

  /// What a user does to an app.
  package enum AppControl: String, Sendable, JSONWord, Codable {
    /// Starts it in the foreground.
    case launch
    case foreground
    case background
    /// Something else takes the foreground for a moment, such as a call, and gives it back.
    case interrupt
    case resume
    /// Ends it in order: willTerminate, 5 s, SIGTERM, SIGKILL.
    case terminate
    /// Ends it at once, as a swipe does; some eras then never relaunch it.
    case quit
    /// Ends it like memory pressure; only a suspended app can be purged.
    case purge
    /// Forgets its crashes, so that it is launched again.
    case release
  }
}

// MARK: Words and members

extension ClientMessage {
  /// The greatest number of log entries in one answer.
  package static let logLimit: Int64 = 1_000

  /// All messages, in the order in which errors name them.
  static let forms = ownForms + placeForms + headingForms + deferralForms + backgroundForms
  static let formsByWord = Dictionary(uniqueKeysWithValues: forms.map { ($0.word, $0) })

  private static let ownForms: [MessageForm<ClientMessage>] = [
    .init("HELLO", "app", .appName, { .hello(.init(app: $0)) }) {
      if case .hello(let hello) = $0 { hello.app } else { nil }
    },
    .init("START", ServiceRequest(.standard), ServiceRequest.table, ClientMessage.start) {
      if case .app(.start(let request)) = $0 { request } else { nil }
    },
    .init("STOP", "service", Service.json, ClientMessage.stop) {
      if case .app(.stop(let service)) = $0 { service } else { nil }
    },
    .init(
      "REQUEST", -1,
      JSONTable { $0.option("desired_accuracy_m", \.self, .accuracy, where: { $0 != -1 }) },
      { .requestLocation(accuracy: $0) },
      { if case .app(.requestLocation(let accuracy)) = $0 { accuracy } else { nil } }),
    .init("MOTION", "enable", Bool.json, ClientMessage.monitorMotion) {
      if case .app(.monitorMotion(let isOn)) = $0 { isOn } else { nil }
    },
    .init(
      "AUTHORIZE", "authorization", .word(among: [.whenInUse, .always]),
      ClientMessage.requestAuthorization
    ) {
      if case .app(.requestAuthorization(let level)) = $0 { level } else { nil }
    },
    .init("ACK", "sequence", UInt64.json, ClientMessage.acknowledge) {
      if case .app(.acknowledge(let number)) = $0 { number } else { nil }
    },
    .init("DONE", .done), .init("VERSION", .version), .init("DEVICES", .devices),
    .init("WATCH", WatchSetting(), WatchSetting.table, \.message) { WatchSetting($0) },
    .init("POLL", .poll), .init("STATUS", .status), .init("APPS", .apps),
    .init("APP", "app", .appName, { .user(.app($0)) }) {
      if case .user(.app(let name)) = $0 { name } else { nil }
    },
    .init("ADD", Manifest.empty, Manifest.table, ClientMessage.add) {
      if case .user(.add(let manifest)) = $0 { manifest } else { nil }
    },
    .init("UPDATE", Manifest.empty, Manifest.table, ClientMessage.update) {
      if case .user(.update(let manifest)) = $0 { manifest } else { nil }
    },
    .init("REMOVE", "app", .appName, ClientMessage.remove) {
      if case .user(.remove(let name)) = $0 { name } else { nil }
    },
    .init(
      "SET", ("", .notDetermined, nil), levelOfApp, { .authorize($0.0, $0.1, $0.2) },
      {
        if case .user(.authorize(let app, let level, let accuracy)) = $0 {
          (app, level, accuracy)
        } else {
          nil
        }
      }),
    .init("FORGET", Forgetting(), Forgetting.table, ClientMessage.forget) {
      if case .user(.forget(let wish)) = $0 { wish } else { nil }
    },
    .init(
      "CONTROL", ("", .launch), ofApp("action", AppControl.json), { .control($0.0, $0.1) },
      { if case .user(.control(let app, let action)) = $0 { (app, action) } else { nil } }),
    .init(
      "LOG", ("", 1),
      JSONTable { log in
        log.field("app", \.0, .appOrDaemon)
        log.field("count", \.1, .whole(in: 1...logLimit))
      }, { .log($0.0, count: $0.1) },
      { if case .user(.log(let app, let count)) = $0 { (app, count) } else { nil } }),
    .init("EXPLAIN", "app", .appName, ClientMessage.explain) {
      if case .user(.explain(let name)) = $0 { name } else { nil }
    },
    .init("OVERVIEW", .overview), historyForm,
    .init("RELOAD", .reload), .init("SINKS", .sinks),
    .init("SINK_TRIAL", "app", .appName, ClientMessage.trySink) {
      if case .user(.trySink(let name)) = $0 { name } else { nil }
    },
    .init("EVENTS", "app", .appName, ClientMessage.events) {
      if case .user(.events(let name)) = $0 { name } else { nil }
    },
    .init(
      "RESEND", ("", nil), eventsOfApp, { .resend($0.0, $0.1) },
      { if case .user(.resend(let app, let number)) = $0 { (app, number) } else { nil } }),
    .init(
      "DISCARD", ("", nil), eventsOfApp, { .discard($0.0, $0.1) },
      { if case .user(.discard(let app, let number)) = $0 { (app, number) } else { nil } }),
  ]

  private static let historyForm = MessageForm<ClientMessage>(
    "HISTORY", (from: UTCInstant.epoch, to: UTCInstant.epoch, count: 1),
    JSONTable { history in
      history.field("from", \.from)
      history.field("to", \.to)
      history.field("count", \.count, .whole(in: 1...HistoryDocument.limit))
    }, { .history(from: $0.from, to: $0.to, count: $0.count) },
    { if case .user(.history(let from, let to, let count)) = $0 { (from, to, count) } else { nil } }
  )

  static func ofApp<Value>(
    _ name: String, _ form: JSONForm<Value>
  ) -> JSONTable<(String, Value)> {
    JSONTable { message in
      message.field("app", \.0, .appName)
      message.field(name, \.1, form)
    }
  }

  private static let levelOfApp = JSONTable<(String, Authorization, LocationAccuracy?)> { set in
    set.field("app", \.0, .appName)
    set.field("authorization", \.1, Authorization.json)
    set.option("accuracy", \.2, LocationAccuracy.json)
  }

  private static let eventsOfApp = JSONTable<(String, UInt64?)> { events in
    events.field("app", \.0, .appName)
    events.option("sequence", \.1, UInt64.json)
  }

  /// Whether a gpsd client on a TCP port may send this.
  package var isForGPSDClients: Bool {
    switch self {
    case .gpsd: true
    case .hello, .app, .background, .user: false
    }
  }

  /// Whether it changes nothing, and is answered by a document of any length.
  package var isQuestion: Bool {
    switch self {
    case .user(let message): message.isQuestion
    case .gpsd(let message): message == .devices || message == .poll
    case .background(let message): message == .notifications
    case .hello, .app: false
    }
  }
}

extension ClientMessage.User {
  fileprivate var isQuestion: Bool {
    switch self {
    case .status, .apps, .app, .log, .explain, .overview, .history, .events, .sinks: true
    case .reload, .device, .forget, .add, .update, .remove, .authorize, .control, .resend, .discard,
      .event, .trySink:
      false
    }
  }
}

extension ClientMessage.ServiceRequest {
  fileprivate static let table = JSONTable<Self> { start in
    start.field("service", \.service)
    let isStandard: @Sendable (Self) -> Bool = { $0.service != .significant }
    let reason =
      "counts for standard and continuous updates only, and service is \"significant\""
    start.option(
      "desired_accuracy_m", \.request.desiredAccuracy, .accuracy, where: isStandard, else: reason)
    start.option(
      "distance_filter_m", \.request.distanceFilter,
      .nullable(.number(in: 0...Double.greatestFiniteMagnitude)), where: isStandard, else: reason)
    start.option(
      "pauses_automatically", \.request.pausesAutomatically, Bool.json, where: isStandard,
      else: reason)
    start.option(
      "allows_background_updates", \.request.allowsBackgroundUpdates, Bool.json,
      where: isStandard, else: reason)
  }
}

extension ClientMessage.Manifest {
  fileprivate static let empty = Self(file: "", directory: "", bytes: [])
  fileprivate static let table = JSONTable<Self> { manifest in
    manifest.field("file", \.file, .fileName)
    manifest.field("directory", \.directory, .absolutePath)
    manifest.field("manifest_base64", \.bytes, .base64)
    manifest.option("command", \.command, [String].json)
  }
}

/// The setting of `?WATCH`. gpsd sends JSON if `json` requests it, or if nothing else is requested instead; `raw` of a
/// receiver that speaks NMEA is NMEA, as it is here.
private struct WatchSetting: Sendable {
  var enable = true
  var json: Bool?
  var nmea = false
  var raw = 0.0

  var message: ClientMessage {
    let sentences = nmea || raw != 0
    guard enable else { return .watch(isOn: false) }
    return sentences ? .watchSentences(json: json ?? false) : .watch(isOn: json ?? true)
  }

  init() {}

  /// `nil` for another message.
  init?(_ message: ClientMessage) {
    guard case .gpsd(let message) = message else { return nil }
    switch message {
    case .watch(let isOn): (enable, json) = (isOn, true)
    case .watchSentences(let json): (self.json, nmea) = (json, true)
    case .version, .devices, .poll: return nil
    }
  }

  static let table = JSONTable<Self> { watch in
    watch.option("enable", \.enable, Bool.json) { _ in true }
    watch.option("json", \.json, Bool.json)
    watch.option("nmea", \.nmea, Bool.json) { $0.nmea }
    watch.option("raw", \.raw, .number()) { _ in false }
  }
}
