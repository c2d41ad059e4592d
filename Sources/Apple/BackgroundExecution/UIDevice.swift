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

  /// The same for all processes of this app on this machine; `nil` without `/etc/machine-id`.
  public var identifierForVendor: UUID? {
    guard let machine = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8) else {
      return nil
    }
    let environment = ProcessInfo.processInfo.environment
    let app = environment["MILEPOST_APP"] ?? ProcessInfo.processInfo.processName
    return Self.identifier(machine: machine, app: app)
  }

  /// Of a version for application-defined contents (RFC 9562, 5.8).
  static func identifier(machine: String, app: String) -> UUID {
    func hash(_ seed: UInt64) -> UInt64 {
      // FNV-1a, 64 bits.
      (machine.trimmingCharacters(in: .whitespacesAndNewlines) + "/" + app).utf8
        .reduce(14_695_981_039_346_656_037 ^ seed) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
    var bytes = [hash(0), hash(1)].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
    }
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    return NSUUID(uuidBytes: bytes) as UUID
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
  private var battery: Battery? {
    guard isBatteryMonitoringEnabled, !LocationSession.current.callsInline else { return nil }
    return Battery(in: URL(filePath: "/sys/class/power_supply"))
  }

  // MARK: Background execution

  /// Whether apps run in the background, and this one may; false if it has opted out (`UIApplicationExitsOnSuspend`).
  public var isMultitaskingSupported: Bool {
    !LocationSession.current.circumstances.isFrontOnly
  }
}

/// The machine's battery, as the kernel reports it.
struct Battery {
  var level: Float
  var state: UIDevice.BatteryState

  /// The first battery of the machine itself in `folder` (`/sys/class/power_supply`, kernel documentation,
  /// ABI/testing/sysfs-class-power); `nil` if there is none.
  init?(in folder: URL) {
    func word(_ device: URL, _ name: String) -> String? {
      try? String(contentsOf: device.appending(path: name), encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let devices = names.sorted().map { folder.appending(path: $0) }
    let battery = devices.first {
      // `scope` is `Device` for a mouse's.
      word($0, "type") == "Battery" && word($0, "scope") != "Device"
    }
    guard let battery, let percent = word(battery, "capacity").flatMap(Float.init),
      (0...100).contains(percent)
    else { return nil }
    level = percent / 100
    state =
      switch word(battery, "status") {
      case "Charging": .charging
      case "Full", "Not charging": .full
      case "Discharging": .unplugged
      default: .unknown
      }
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
