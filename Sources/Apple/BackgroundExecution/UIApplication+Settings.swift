// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LocationClient

// The settings of an app, and other programs: nothing is opened here.

extension UIApplication {
  /// The settings of this app, which are the user's commands: `milepost apps`.
  public static let openSettingsURLString = "app-settings:"

  /// Always false: nothing is opened.
  public func canOpenURL(_ url: URL) -> Bool { false }

  /// Opens nothing; `completion` hears that. For the settings, standard error has the command that changes them.
  public func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler completion: (@Sendable (Bool) -> Void)? = nil
  ) {
    if url.absoluteString == Self.openSettingsURLString {
      session.complain(
        "milepost: the settings of an app are changed by milepost apps authorize NAME")
    }
    if let completion { session.post(on: .main) { completion(false) } }
  }

  public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let universalLinksOnly = Self(
      rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
  }
}
