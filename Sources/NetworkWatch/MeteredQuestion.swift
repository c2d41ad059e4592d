// SPDX-License-Identifier: Apache-2.0

import CDBus
import Glibc

/// The question whether the connection is metered, to NetworkManager: the property `Metered` of its object
/// [doc: networkmanager.dev, org.freedesktop.NetworkManager; NMMetered].
package enum MeteredQuestion {
  /// Milliseconds that an answer may take.
  private static let patience: Int32 = 2_000

  /// `nil` where there is no bus, no NetworkManager (which is not started for this), or it does not know.
  /// `address` is that of a bus; without one the system's is taken. It waits for the answer.
  package static func answer(_ address: String? = nil) -> Bool? {
    let stated = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
    let address = address ?? stated ?? "unix:path=/var/run/dbus/system_bus_socket"
    dbus_connection_set_change_sigpipe(0)
    guard let bus = dbus_connection_open_private(address, nil) else { return nil }
    defer {
      dbus_connection_close(bus)
      dbus_connection_unref(bus)
    }
    dbus_connection_set_exit_on_disconnect(bus, 0)
    guard dbus_bus_register(bus, nil) != 0, let question = question() else { return nil }
    defer { dbus_message_unref(question) }
    guard let answer = dbus_connection_send_with_reply_and_block(bus, question, patience, nil)
    else { return nil }
    defer { dbus_message_unref(answer) }
    return number(in: answer).flatMap(isMetered)
  }

  /// NM_METERED_UNKNOWN 0, YES 1, NO 2, GUESS_YES 3, GUESS_NO 4.
  static func isMetered(_ number: UInt32) -> Bool? {
    switch number {
    case 1, 3: true
    case 2, 4: false
    default: nil
    }
  }

  private static func question() -> OpaquePointer? {
    guard
      let message = dbus_message_new_method_call(
        "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager",
        "org.freedesktop.DBus.Properties", "Get")
    else { return nil }
    dbus_message_set_auto_start(message, 0)
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    for text in ["org.freedesktop.NetworkManager", "Metered"] {
      let isWritten = text.withCString { text in
        var text: UnsafePointer<CChar>? = text
        return dbus_message_iter_append_basic(&iterator, Int32(UInt8(ascii: "s")), &text) != 0
      }
      guard isWritten else {
        dbus_message_unref(message)
        return nil
      }
    }
    return message
  }

  /// The number in the variant of an answer; `nil` where it is something else.
  private static func number(in answer: OpaquePointer) -> UInt32? {
    var (outer, inner) = (DBusMessageIter(), DBusMessageIter())
    guard dbus_message_iter_init(answer, &outer) != 0,
      dbus_message_iter_get_arg_type(&outer) == Int32(UInt8(ascii: "v"))
    else { return nil }
    dbus_message_iter_recurse(&outer, &inner)
    guard dbus_message_iter_get_arg_type(&inner) == Int32(UInt8(ascii: "u")) else { return nil }
    var number: UInt32 = 0
    dbus_message_iter_get_basic(&inner, &number)
    return number
  }
}
