// SPDX-License-Identifier: Apache-2.0

import LocationModel

// What a notification is shown with: its texts, its sound, its time.

extension DesktopNotifier.Alert {
  /// app_name, replaces_id, app_icon, summary, body, actions, hints, expire_timeout: `susssasa{sv}i`.
  func arguments(_ body: String, replacing number: UInt32) -> [BusValue] {
    [
      .string(app), .uint32(number), .string(""), .string(app), .string(body),
      .strings([]),
      // A sound's name means nothing to another system; only its absence is passed on.
      .properties([("suppress-sound", .flag(notification.sound == nil))]),
      // The server decides the display time.
      .int32(-1),
    ]
  }
}

/// Texts for a server that reads a subset of HTML (Desktop Notifications Specification, "Markup").
enum Markup {
  /// Markup that shows `text` literally.
  static func plain(_ text: String) -> String {
    text.reduce(into: "") { markup, character in
      switch character {
      case "&": markup += "&amp;"
      case "<": markup += "&lt;"
      case ">": markup += "&gt;"
      default: markup.append(character)
      }
    }
  }
}
