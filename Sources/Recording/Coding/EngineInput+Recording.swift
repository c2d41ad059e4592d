// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel

extension EngineInput {
  func write(into json: inout JSONWriter) {
    switch self {
    case .app(let app, let input):
      json.object { json in
        json.key("app")
        input.write(of: app, into: &json)
      }
    case .fix(let fix): Self.write(fix, as: "fix", into: &json)
    case .networkFix(let fix): Self.write(fix, as: "network_fix", into: &json)
    case .networkPositionFailed: json.string("network_position_failed")
    case .cellChanged(nil): json.string("cell_changed")
    case .cellChanged(let cell?):
      json.object { json in
        json.key("cell_changed")
        // A name, not a quantity: as text, since a JSON number holds 53 bits of it.
        json.string(String(cell.rawValue, radix: 16))
      }
    case .motionBegan: json.string("motion_began")
    case .acquisitionFailed: json.string("acquisition_failed")
    case .timePassed: json.string("time_passed")
    }
  }

  private static func write(_ fix: Fix, as name: String, into json: inout JSONWriter) {
    json.object { json in
      json.key(name)
      json.fix(fix)
    }
  }

  init(recorded value: JSONValue?) throws(RecordingError) {
    let (name, value) = try Members.choice(value, "input")
    switch name {
    case "app":
      let members = try Members(value, "app")
      self = .app(try members.app("id"), try AppInput(recorded: members))
    case "fix": self = .fix(try Fix(recorded: value, name))
    case "network_fix": self = .networkFix(try Fix(recorded: value, name))
    case "network_position_failed": self = .networkPositionFailed
    case "cell_changed":
      guard let text = value?.string else {
        self = .cellChanged(nil)
        return
      }
      guard let name = UInt64(text, radix: 16) else {
        throw RecordingError("the cell '\(text.prefix(60))' is not a hexadecimal number")
      }
      self = .cellChanged(CellHint(rawValue: name))
    case "motion_began": self = .motionBegan
    case "acquisition_failed": self = .acquisitionFailed
    case "time_passed": self = .timePassed
    default: throw RecordingError("the input '\(name.prefix(60))' is not known here")
    }
  }
}

extension AppInput {
  /// The inputs without values: a new one is a line here and one in `recordedName`.
  private static let plain: [AppInput] = [
    .launched,
    .resignedActive,
    .becameActive,
    .enteredBackground,
    .enteredForeground,
    .finishedWork,
    .purged,
    .terminated,
    .forceQuit,
    .exited,
    .removed,
    .stopUpdating,
    .requestLocation,
    .startMonitoringSignificantChanges,
    .stopMonitoringSignificantChanges,
    .startMonitoringMotion,
    .stopMonitoringMotion,
  ]

  private var recordedName: String {
    switch self {
    case .registered: "registered"
    case .authorized: "authorized"
    case .launched: "launched"
    case .resignedActive: "resigned_active"
    case .becameActive: "became_active"
    case .enteredBackground: "entered_background"
    case .enteredForeground: "entered_foreground"
    case .finishedWork: "finished_work"
    case .purged: "purged"
    case .terminated: "terminated"
    case .forceQuit: "force_quit"
    case .exited: "exited"
    case .removed: "removed"
    case .startUpdating: "start_updating"
    case .stopUpdating: "stop_updating"
    case .requestLocation: "request_location"
    case .startMonitoringSignificantChanges: "start_monitoring_significant_changes"
    case .stopMonitoringSignificantChanges: "stop_monitoring_significant_changes"
    case .startMonitoringMotion: "start_monitoring_motion"
    case .stopMonitoringMotion: "stop_monitoring_motion"
    }
  }

  private static let byName = Dictionary(
    plain.map { ($0.recordedName, $0) }, uniquingKeysWith: { first, _ in first })

  /// `{"id":1,"does":"launched"}`
  func write(of app: AppID, into json: inout JSONWriter) {
    json.object { json in
      json.member("id", Int(app.number))
      json.member("does", recordedName)
      switch self {
      case .registered(let declaration):
        json.member("location_mode", declaration.declaresLocationMode)
        json.member("exits_on_suspend", declaration.exitsOnSuspend)
        json.member("authorization", declaration.authorization.rawValue)
      case .authorized(let authorization): json.member("authorization", authorization.rawValue)
      case .startUpdating(let request):
        json.exact("desired_accuracy_m", request.desiredAccuracy)
        json.exact("distance_filter_m", request.distanceFilter)
        json.member("pauses", request.pausesAutomatically)
        json.member("allows_background_updates", request.allowsBackgroundUpdates)
      default: break
      }
    }
  }

  init(recorded members: Members) throws(RecordingError) {
    let name = try members.text("does")
    switch name {
    case "registered":
      var declaration = AppDeclaration()
      declaration.declaresLocationMode = try members.bool("location_mode")
      declaration.exitsOnSuspend = try members.bool("exits_on_suspend")
      declaration.authorization = try members.raw("authorization")
      self = .registered(declaration)
    case "authorized": self = .authorized(try members.raw("authorization"))
    case "start_updating":
      var request = StandardRequest()
      request.desiredAccuracy = try members.number("desired_accuracy_m")
      request.distanceFilter = try members.numberIfKnown("distance_filter_m")
      request.pausesAutomatically = try members.bool("pauses")
      request.allowsBackgroundUpdates = try members.bool("allows_background_updates")
      self = .startUpdating(request)
    default:
      guard let input = Self.byName[name] else {
        throw RecordingError("what the app does, '\(name.prefix(60))', is not known here")
      }
      self = input
    }
  }
}
