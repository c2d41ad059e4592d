// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LocationClient
import Synchronization

/// The device that runs the app.
public final class UIDevice: NSObject, Sendable {
  public static let current = UIDevice()
  private let monitorsBattery = Mutex(false)

  private override init() { super.init() }

  // MARK: Identity

  /// The host's name.
  public var name: String { ProcessInfo.processInfo.hostName }
  public var model: String { "Linux" }
  public var localizedModel: String { model }
  public var systemName: String { "Linux" }
  /// As the system states it: `Debian GNU/Linux 13 (trixie)`.
  public var systemVersion: String { ProcessInfo.processInfo.operatingSystemVersionString }

  /// Drawn when it is first asked for, and then the same for all processes of this app and user; `nil` where it cannot be
  /// kept. It says nothing of the machine: `/etc/machine-id` is confidential (machine-id(5)).
  public var identifierForVendor: UUID? {
    let environment = ProcessInfo.processInfo.environment
    let app = environment["MILEPOST_APP"] ?? ProcessInfo.processInfo.processName
    return FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      .flatMap { Self.identifier(keptIn: $0.appending(path: "milepost/\(app).identifier")) }
  }

  static func identifier(keptIn file: URL) -> UUID? {
    func kept() -> UUID? {
      (try? String(contentsOf: file, encoding: .utf8)).flatMap(UUID.init(uuidString:))
    }
    if let kept = kept() { return kept }
    try? FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Another process may be quicker, and then its identifier counts.
    try? Data(UUID().uuidString.utf8).write(to: file, options: .withoutOverwriting)
    return kept()
  }

  // MARK: Battery

  /// Whether `batteryLevel` and `batteryState` are read; false at first.
  public var isBatteryMonitoringEnabled: Bool {
    get { monitorsBattery.withLock { $0 } }
    set { monitorsBattery.withLock { $0 = newValue } }
  }

  public enum BatteryState: Int, Sendable {
    /// Without a battery, unmonitored, or in a replay.
    case unknown = 0
    case unplugged = 1
    case charging = 2
    case full = 3
  }

  /// 0 to 1; −1 if unknown.
  public var batteryLevel: Float { battery?.level ?? -1 }

  public var batteryState: BatteryState { battery?.state ?? .unknown }

  /// Of a replayed device nothing is known.
  private var battery: DeviceBattery? {
    guard isBatteryMonitoringEnabled, !LocationSession.current.callsInline else { return nil }
    return DeviceBattery(in: URL(filePath: "/sys/class/power_supply"))
  }

  // MARK: Background execution

  /// Whether apps run in the background, and this one may; false if it has opted out (`UIApplicationExitsOnSuspend`).
  public var isMultitaskingSupported: Bool {
    !LocationSession.current.circumstances.isFrontOnly
  }
}

/// Whether an app can be called in the background.
public enum UIBackgroundRefreshStatus: Int, Sendable {
  /// Something other than the user forbids it; never the case here.
  case restricted = 0
  /// The user has switched it off for all apps.
  case denied = 1
  case available = 2
}

extension UIApplication {
  /// The status when this process connected last.
  public var backgroundRefreshStatus: UIBackgroundRefreshStatus {
    session.circumstances.refreshIsOff ? .denied : .available
  }
}
