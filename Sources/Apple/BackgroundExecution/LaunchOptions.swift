// SPDX-License-Identifier: Apache-2.0

import LocationClient
import LocationModel

extension UIApplication {
  /// The reason why an app was launched, if not by its user.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// For a location event: a significant change, a region, a visit, a motion. Its value is `true`.
    public static let location = Self(rawValue: "UIApplicationLaunchOptionsLocationKey")
    /// For a push. Its value is an empty dictionary: pushes have no payload here.
    public static let remoteNotification = Self(
      rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
    /// For an announced issue. Its value is an empty array.
    public static let newsstandDownloads = Self(
      rawValue: "UIApplicationLaunchOptionsNewsstandDownloadsKey")
    /// For a Bluetooth device. Its value is an empty array.
    public static let bluetoothCentrals = Self(
      rawValue: "UIApplicationLaunchOptionsBluetoothCentralsKey")
    /// Ours, in every launch that was not by the user: the `CLLaunchReason`.
    public static let reason = Self(rawValue: "MilepostLaunchReason")

    /// The launch options for the delegate; `nil` for a launch by the user.
    static func options(_ reason: WakeReason?) -> [LaunchOptionsKey: Any]? {
      guard let reason else { return nil }
      var options: [LaunchOptionsKey: Any] = [.reason: CLLaunchReason(reason)]
      switch reason {
      case .location, .region, .visit, .motion: options[.location] = true
      case .push: options[.remoteNotification] = [AnyHashable: Any]()
      case .newsstand: options[.newsstandDownloads] = [String]()
      case .bluetooth: options[.bluetoothCentrals] = [String]()
      case .fetch, .keepAlive, .socket, .locationPush, .accessory, .boot, .crash: break
      }
      return options
    }
  }
}
