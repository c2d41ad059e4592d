// SPDX-License-Identifier: Apache-2.0

import CDBus
import Glibc
import LocationModel

/// A connection to the user's message bus, for one thread; its calls block.
final class SessionBus {
  private static let service = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  /// Milliseconds for an answer: a server may have to be started first.
  private static let patience: Int32 = 10_000

  private let connection: OpaquePointer
  /// Whether the server takes bodies for markup; `nil` until it was asked.
  private var takesMarkup: Bool?

  /// Where the user's bus listens: what the environment says, else the socket that systemd gives it; `nil`
  /// where there is neither.
  static var usualAddress: String? {
    if let stated = getenv("DBUS_SESSION_BUS_ADDRESS"), stated.pointee != 0 {
      return String(cString: stated)
    }
    guard let folder = getenv("XDG_RUNTIME_DIR") else { return nil }
    let path = String(cString: folder) + "/bus"
    return access(path, F_OK) == 0 ? "unix:path=\(path)" : nil
  }

  init(_ address: String?) throws(DesktopNotifier.Failure) {
    guard let address = address ?? Self.usualAddress else {
      throw .init(words: "this user has no session bus")
    }
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    dbus_connection_set_change_sigpipe(0)
    guard let opened = dbus_connection_open_private(address, &error) else {
      throw .init(words: "the session bus: \(Self.words(of: error))")
    }
    connection = opened
    dbus_connection_set_exit_on_disconnect(opened, 0)
    guard dbus_bus_register(opened, &error) != 0 else {
      throw .init(words: "the session bus: \(Self.words(of: error))")
    }
  }

  deinit {
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
  }

  /// Shows it; answers the server's number for it.
  func notify(
    _ alert: DesktopNotifier.Alert, replacing number: UInt32
  ) throws(DesktopNotifier.Failure) -> UInt32 {
    if takesMarkup == nil { takesMarkup = try asksForMarkup() }
    guard let call = call("Notify") else { throw .init(words: "out of memory") }
    defer { dbus_message_unref(call) }
    let body = takesMarkup == true ? Markup.plain(alert.notification.body) : alert.notification.body
    guard Self.write(alert, body, replacing: number, to: call) else {
      throw .init(words: "out of memory")
    }
    let answer = try send(call)
    defer { dbus_message_unref(answer) }
    var given: UInt32 = 0
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(answer, &iterator) != 0,
      dbus_message_iter_get_arg_type(&iterator) == Code.uint32
    else { throw .init(words: "the notification service answers without a number") }
    dbus_message_iter_get_basic(&iterator, &given)
    return given
  }

  /// Whether `body-markup` is among the server's capabilities (`as`).
  private func asksForMarkup() throws(DesktopNotifier.Failure) -> Bool {
    guard let call = call("GetCapabilities") else { throw .init(words: "out of memory") }
    defer { dbus_message_unref(call) }
    let answer = try send(call)
    defer { dbus_message_unref(answer) }
    var (iterator, element) = (DBusMessageIter(), DBusMessageIter())
    guard dbus_message_iter_init(answer, &iterator) != 0,
      dbus_message_iter_get_arg_type(&iterator) == Code.array,
      dbus_message_iter_get_element_type(&iterator) == Code.string
    else { return false }
    dbus_message_iter_recurse(&iterator, &element)
    while dbus_message_iter_get_arg_type(&element) == Code.string {
      var text: UnsafePointer<CChar>?
      dbus_message_iter_get_basic(&element, &text)
      if let text, String(cString: text) == "body-markup" { return true }
      dbus_message_iter_next(&element)
    }
    return false
  }

  /// The name that the server gives itself.
  func serverName() throws(DesktopNotifier.Failure) -> String {
    guard let call = call("GetServerInformation") else { throw .init(words: "out of memory") }
    defer { dbus_message_unref(call) }
    let answer = try send(call)
    defer { dbus_message_unref(answer) }
    var text: UnsafePointer<CChar>?
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(answer, &iterator) != 0,
      dbus_message_iter_get_arg_type(&iterator) == Code.string
    else { throw .init(words: "the notification service does not say its name") }
    dbus_message_iter_get_basic(&iterator, &text)
    return text.map { String(cString: $0) } ?? ""
  }

  private func call(_ member: String) -> OpaquePointer? {
    dbus_message_new_method_call(Self.service, Self.path, Self.service, member)
  }

  private func send(_ call: OpaquePointer) throws(DesktopNotifier.Failure) -> OpaquePointer {
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    guard
      let answer = dbus_connection_send_with_reply_and_block(
        connection, call, Self.patience, &error)
    else {
      let isAbsent = error.name.map { String(cString: $0) } == DBUS_ERROR_SERVICE_UNKNOWN
      throw .init(
        words: isAbsent
          ? "nobody on the session bus shows notifications" : Self.words(of: error))
    }
    return answer
  }

  private static func words(of error: DBusError) -> String {
    error.message.map { String(cString: $0) } ?? "it cannot be used"
  }

  // MARK: Writing

  /// Type codes (D-Bus specification, "Type system"), which Swift does not import as macros.
  private enum Code {
    static let string = Int32(UInt8(ascii: "s"))
    static let uint32 = Int32(UInt8(ascii: "u"))
    static let int32 = Int32(UInt8(ascii: "i"))
    static let boolean = Int32(UInt8(ascii: "b"))
    static let array = Int32(UInt8(ascii: "a"))
    static let variant = Int32(UInt8(ascii: "v"))
    static let entry = Int32(UInt8(ascii: "e"))
  }

  /// app_name, replaces_id, app_icon, summary, body, actions, hints, expire_timeout: `susssasa{sv}i`.
  private static func write(
    _ alert: DesktopNotifier.Alert, _ body: String, replacing number: UInt32,
    to call: OpaquePointer
  ) -> Bool {
    var all = DBusMessageIter()
    dbus_message_iter_init_append(call, &all)
    return append(alert.app, to: &all) && append(number, Code.uint32, to: &all)
      && append("", to: &all) && append(alert.app, to: &all)
      && append(body, to: &all)
      && within(&all, Code.array, "s", { _ in true })
      && within(
        &all, Code.array, "{sv}",
        { hints in
          within(&hints, Code.entry, nil) { hint in
            // A sound's name means nothing to another system: that there is none does.
            append("suppress-sound", to: &hint)
              && within(&hint, Code.variant, "b") {
                append(
                  dbus_bool_t(alert.notification.sound == nil ? 1 : 0), Code.boolean, to: &$0)
              }
          }
        })
      // The server decides how long it is shown.
      && append(Int32(-1), Code.int32, to: &all)
  }

  private static func append(_ text: String, to iterator: inout DBusMessageIter) -> Bool {
    text.withCString { text in
      var text: UnsafePointer<CChar>? = text
      return dbus_message_iter_append_basic(&iterator, Code.string, &text) != 0
    }
  }

  private static func append<Value: BitwiseCopyable>(
    _ value: Value, _ code: Int32, to iterator: inout DBusMessageIter
  ) -> Bool {
    withUnsafePointer(to: value) { dbus_message_iter_append_basic(&iterator, code, $0) != 0 }
  }

  /// Opens a container, fills it and closes it.
  private static func within(
    _ iterator: inout DBusMessageIter, _ code: Int32, _ contents: String?,
    _ fill: (inout DBusMessageIter) -> Bool
  ) -> Bool {
    var inner = DBusMessageIter()
    guard dbus_message_iter_open_container(&iterator, code, contents, &inner) != 0 else {
      return false
    }
    guard fill(&inner) else {
      dbus_message_iter_abandon_container(&iterator, &inner)
      return false
    }
    return dbus_message_iter_close_container(&iterator, &inner) != 0
  }
}

/// Texts for a server that reads a part of HTML (Desktop Notifications Specification, "Markup").
enum Markup {
  /// Markup that shows `text` as it stands.
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
