// SPDX-License-Identifier: Apache-2.0

internal import LocationModel

/// Writes activities as JSON lines; see ActivityLog.swift for the format.
package struct ActivityLogWriter: Sendable {
  package init() {}

  /// Appends one line, line feed included. Instants are written as seconds of the engine's axis; those
  /// before its zero are taken as zero.
  package func write(activity: Activity, into output: inout [UInt8]) {
    output.append(contentsOf: "{\"at_s\":".utf8)
    output.append(contentsOf: Self.seconds(activity.at.microseconds).utf8)
    output.append(contentsOf: Self.tail(of: activity.event).utf8)
    output.append(contentsOf: "}\n".utf8)
  }

  /// Seconds with at most six decimals, exact at any size.
  static func seconds(_ microseconds: Int64) -> String {
    let value = max(0, microseconds)
    let fraction = value % 1_000_000
    guard fraction != 0 else { return String(value / 1_000_000) }
    let digits = String(fraction)
    var text = "\(value / 1_000_000)." + String(repeating: "0", count: 6 - digits.utf8.count)
    text += digits
    while text.hasSuffix("0") { text.removeLast() }
    return text
  }

  private static func tail(of event: Activity.Event) -> String {
    switch event {
    case .gnss(let state): ",\"component\":\"gnss\",\"state\":\"\(state.rawValue)\""
    case .soc(let state): ",\"component\":\"soc\",\"state\":\"\(state.rawValue)\""
    case .cellTransfer(let up, let down, let rate): transfer("cell", up, down, rate)
    case .wifiTransfer(let up, let down, let rate): transfer("wifi", up, down, rate)
    case .cellWake: ",\"component\":\"cell\",\"wake\":true"
    case .wifiScan: ",\"component\":\"wifi\",\"scan\":true"
    case .launch: ",\"component\":\"soc\",\"event\":\"launch\""
    case .wake: ",\"component\":\"soc\",\"event\":\"wake\""
    case .delivery: ",\"component\":\"soc\",\"event\":\"delivery\""
    case .motionSensor(let on): ",\"component\":\"sensor\",\"motion\":\(on)"
    case .moving(let moves): ",\"component\":\"device\",\"moving\":\(moves)"
    case .flashCommit: ",\"component\":\"flash\",\"commit\":true"
    case .metering(let on): ",\"metering\":\(on)"
    case .end: ",\"end\":true"
    }
  }

  private static func transfer(_ component: String, _ up: Int, _ down: Int, _ rate: Double?)
    -> String
  {
    // The shortest text that reads back as the same number: the joules must not change.
    let rate = rate.map { ",\"rate_mbps\":\($0)" } ?? ""
    return
      ",\"component\":\"\(component)\",\"upload_bytes\":\(up),\"download_bytes\":\(down)\(rate)"
  }
}
