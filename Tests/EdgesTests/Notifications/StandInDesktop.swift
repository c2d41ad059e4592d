// SPDX-License-Identifier: Apache-2.0

import CDBus
import Foundation
import Glibc
import Synchronization

/// A message bus for one test.
final class Bus {
  private static let path: String? = ["/usr/bin/dbus-daemon", "/usr/local/bin/dbus-daemon"].first {
    access($0, X_OK) == 0
  }
  /// The reason why no bus can serve here; `nil` if one can.
  static let obstacle: String? =
    if path == nil {
      "dbus-daemon is not installed here; its tests are skipped"
    } else if getpwuid(getuid()) == nil {
      "dbus-daemon refuses a user without an entry in passwd; its tests are skipped"
    } else {
      nil
    }

  let address: String
  private let folder: URL
  private let process = Process()

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "milepost-desktop-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    address = "unix:path=\(folder.path)/bus"
    try """
    <busconfig>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*"/>
        <allow receive_sender="*"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """.write(to: folder.appendingPathComponent("conf"), atomically: true, encoding: .utf8)
    process.executableURL = URL(fileURLWithPath: Self.path ?? "")
    process.arguments = ["--config-file=\(folder.path)/conf", "--nofork", "--print-address"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It prints its address once it listens.
    _ = output.fileHandleForReading.availableData
  }

  /// Stops it from running, as a debugger does.
  func halt() { kill(process.processIdentifier, SIGSTOP) }

  func stop() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }
}

/// A server of org.freedesktop.Notifications (Desktop Notifications Specification 1.2), as far as it is
/// called.
final class StandInDesktop: Sendable {
  struct Call: Equatable {
    let app: String
    let replaces: UInt32
    let summary: String
    let body: String
    let isSilent: Bool
  }

  /// libdbus locks by itself; the pointer never changes.
  private struct Link: @unchecked Sendable { let connection: OpaquePointer }
  private struct State {
    var calls: [Call] = []
    var last: UInt32 = 0
    var isStopped = false
  }
  struct NoBus: Error {}

  private let link: Link
  private let refusal: String?
  private let capabilities: [String]
  private let state = Mutex(State())
  private let ended = DispatchSemaphore(value: 0)

  init(at address: String, refusal: String? = nil, capabilities: [String] = []) throws {
    guard let connection = dbus_connection_open_private(address, nil),
      dbus_bus_register(connection, nil) != 0,
      dbus_bus_request_name(connection, "org.freedesktop.Notifications", 0, nil)
        == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER
    else { throw NoBus() }
    dbus_connection_set_exit_on_disconnect(connection, 0)
    link = Link(connection: connection)
    self.refusal = refusal
    self.capabilities = capabilities
    Thread { [self] in
      while !state.withLock({ $0.isStopped }),
        dbus_connection_read_write(link.connection, 10) != 0
      {
        while let message = dbus_connection_pop_message(link.connection) {
          answer(message)
          dbus_message_unref(message)
        }
      }
      ended.signal()
    }.start()
  }

  var calls: [Call] { state.withLock { $0.calls } }

  func stop() {
    state.withLock { $0.isStopped = true }
    ended.wait()
    dbus_connection_close(link.connection)
    dbus_connection_unref(link.connection)
  }

  private func answer(_ message: OpaquePointer) {
    guard dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL,
      let member = dbus_message_get_member(message)
    else { return }
    let reply: OpaquePointer?
    if let refusal {
      reply = dbus_message_new_error(message, "org.freedesktop.DBus.Error.Failed", refusal)
    } else if String(cString: member) == "Notify" {
      reply = dbus_message_new_method_return(message)
      append(take(message), UInt8(ascii: "u"), to: reply)
    } else if String(cString: member) == "GetCapabilities" {
      reply = dbus_message_new_method_return(message)
      var (iterator, list) = (DBusMessageIter(), DBusMessageIter())
      dbus_message_iter_init_append(reply, &iterator)
      dbus_message_iter_open_container(&iterator, Int32(UInt8(ascii: "a")), "s", &list)
      for text in capabilities {
        text.withCString {
          var text: UnsafePointer<CChar>? = $0
          _ = dbus_message_iter_append_basic(&list, Int32(UInt8(ascii: "s")), &text)
        }
      }
      dbus_message_iter_close_container(&iterator, &list)
    } else {
      reply = dbus_message_new_method_return(message)
      // name, vendor, version, spec_version
      for text in ["Stand-in", "none", "1", "1.2"] {
        text.withCString { append($0, UInt8(ascii: "s"), to: reply) }
      }
    }
    dbus_connection_send(link.connection, reply, nil)
    dbus_connection_flush(link.connection)
    dbus_message_unref(reply)
  }

  private func append<Value: BitwiseCopyable>(
    _ value: Value, _ code: UInt8, to message: OpaquePointer?
  ) {
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    withUnsafePointer(to: value) {
      _ = dbus_message_iter_append_basic(&iterator, Int32(code), $0)
    }
  }

  /// Returns the number of the notification.
  private func take(_ message: OpaquePointer) -> UInt32 {
    guard String(cString: dbus_message_get_signature(message)) == "susssasa{sv}i" else { return 0 }
    var iterator = DBusMessageIter()
    dbus_message_iter_init(message, &iterator)
    let app = text(&iterator)
    var replaces: UInt32 = 0
    dbus_message_iter_get_basic(&iterator, &replaces)
    dbus_message_iter_next(&iterator)
    _ = text(&iterator)
    let (summary, body) = (text(&iterator), text(&iterator))
    dbus_message_iter_next(&iterator)
    var (hints, hint, value) = (DBusMessageIter(), DBusMessageIter(), DBusMessageIter())
    dbus_message_iter_recurse(&iterator, &hints)
    dbus_message_iter_recurse(&hints, &hint)
    var isSilent: dbus_bool_t = 2
    if text(&hint) == "suppress-sound" {
      dbus_message_iter_recurse(&hint, &value)
      dbus_message_iter_get_basic(&value, &isSilent)
    }
    let call = Call(
      app: app, replaces: replaces, summary: summary, body: body, isSilent: isSilent == 1)
    return state.withLock { state in
      state.calls.append(call)
      guard replaces == 0 else { return replaces }
      state.last += 1
      return state.last
    }
  }

  private func text(_ iterator: inout DBusMessageIter) -> String {
    var text: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &text)
    dbus_message_iter_next(&iterator)
    return text.map { String(cString: $0) } ?? ""
  }
}
