// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// The server that shows notifications, over the user's message bus: what each is shown with. For one thread; its
/// calls block.
final class NotificationServer {
  private static let service = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  /// Milliseconds for an answer: a server may have to be started first.
  private static let patience: Int32 = 10_000

  private let connection: BusConnection
  /// Whether the server treats bodies as markup; `nil` until it was asked.
  private var takesMarkup: Bool?

  init(_ address: String?) throws(DesktopNotifier.Failure) {
    guard let address = address ?? BusConnection.sessionAddress else {
      throw .init(words: "this user has no session bus")
    }
    do throws(BusConnection.Failure) {
      connection = try BusConnection(address)
      try connection.register(within: Self.patience)
    } catch {
      throw .init(words: "the session bus: \(error.words)")
    }
  }

  /// Shows it; returns the server's number for it.
  func notify(
    _ alert: DesktopNotifier.Alert, replacing number: UInt32
  ) throws(DesktopNotifier.Failure) -> UInt32 {
    if takesMarkup == nil { takesMarkup = try asksForMarkup() }
    let body = takesMarkup == true ? Markup.plain(alert.notification.body) : alert.notification.body
    let answer = try ask("Notify", alert.arguments(body, replacing: number))
    guard let given = answer.arguments.uint32 else {
      throw .init(words: "the notification service answers without a number")
    }
    return given
  }

  /// Whether `body-markup` is among the server's capabilities (`as`).
  private func asksForMarkup() throws(DesktopNotifier.Failure) -> Bool {
    try ask("GetCapabilities").arguments.strings?.contains("body-markup") ?? false
  }

  /// The name that the server gives itself.
  func serverName() throws(DesktopNotifier.Failure) -> String {
    guard let name = try ask("GetServerInformation").arguments.string else {
      throw .init(words: "the notification service does not say its name")
    }
    return name
  }

  /// The bus may start the server for it.
  private func ask(
    _ member: String, _ arguments: [BusValue] = []
  ) throws(DesktopNotifier.Failure) -> BusMessage {
    guard
      let call = BusMessage.call(
        Self.service, Self.path, Self.service, member, arguments, startsDestination: true)
    else { throw .init(words: "out of memory") }
    do throws(BusConnection.Failure) {
      return try connection.ask(call, within: Self.patience)
    } catch {
      let isAbsent = error.name == "org.freedesktop.DBus.Error.ServiceUnknown"
      throw .init(
        words: isAbsent ? "nobody on the session bus shows notifications" : error.words)
    }
  }
}
