// SPDX-License-Identifier: Apache-2.0

import CDBus
package import Glibc

// Theory
// ======
//
// libdbus serves only as an encoder and decoder with a socket: no pending call, no timer, no dispatch. A message is
// sent and its serial returned; arrivals are popped and passed on. The bus' own `Hello` is a call like any other.
//
// The caller waits, with `poll`, for the descriptors of libdbus' watches (dbus-connection.h,
// dbus_connection_set_watch_functions): while the connection is authenticated, reading and writing take turns, and only
// libdbus knows whose turn it is. A thread with nothing else to wait for may `ask`, which blocks. All of it happens on
// one thread.

/// One connection to a message bus: the only owner of libdbus' connection.
package final class BusConnection {
  /// The reason why there is no connection, or no answer.
  package struct Failure: Error {
    /// The error's name on the bus, if it has one.
    package let name: String?
    package let words: String
  }

  /// The limit of one message, bytes; libdbus ends a connection that receives a longer one. The longest expected one,
  /// the list of all modems, has some kilobytes for each.
  package static let messageLimit = 1 << 20

  private let connection: OpaquePointer
  private let watches = BusWatches()

  /// The address of the system bus (D-Bus specification, "System message bus").
  package static var systemAddress: String {
    stated("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/var/run/dbus/system_bus_socket"
  }

  /// The address of the user's bus: from the environment, else the socket that systemd provides; `nil` without either.
  package static var sessionAddress: String? {
    if let stated = stated("DBUS_SESSION_BUS_ADDRESS") { return stated }
    guard let folder = stated("XDG_RUNTIME_DIR") else { return nil }
    return access(folder + "/bus", F_OK) == 0 ? "unix:path=\(folder)/bus" : nil
  }

  private static func stated(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Connects; `exchange` or `ask` handle authentication and everything after it.
  package init(_ address: String) throws(Failure) {
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    // The program handles SIGPIPE itself; libdbus sends with MSG_NOSIGNAL anyway.
    dbus_connection_set_change_sigpipe(0)
    guard let opened = dbus_connection_open_private(address, &error) else {
      throw Failure(error, else: "it cannot be opened")
    }
    connection = opened
    dbus_connection_set_exit_on_disconnect(opened, 0)
    dbus_connection_set_max_message_size(opened, Self.messageLimit)
    dbus_connection_set_max_received_size(opened, Self.messageLimit)
    dbus_connection_set_max_message_unix_fds(opened, 0)
    guard watches.watchConnection(opened) else { throw Failure(name: nil, words: "out of memory") }
  }

  /// Closes and releases. No call may follow.
  deinit {
    watches.forgetConnection(connection)
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
  }

  /// The descriptors to wait for, for `poll`.
  package var awaited: [pollfd] { watches.awaited }

  /// Whether the bus is there, as far as libdbus has found out. A send may find out too, and then nothing is awaited.
  package var isConnected: Bool { dbus_connection_get_is_connected(connection) != 0 }

  /// Reads and writes on the descriptors that `poll` found ready, and returns the arrivals; `nil` if the bus has gone.
  package func exchange(_ ready: [pollfd]) -> [BusMessage]? {
    watches.handle(ready: ready)
    var messages: [BusMessage] = []
    while let message = dbus_connection_pop_message(connection) {
      messages.append(BusMessage(taking: message))
    }
    return isConnected ? messages : nil
  }

  /// Sends, or at least queues; returns the serial, or `nil` if there is no memory.
  @discardableResult
  package func send(_ message: BusMessage) -> UInt32? {
    var serial: UInt32 = 0
    return dbus_connection_send(connection, message.pointer, &serial) == 0 ? nil : serial
  }

  /// Registers the connection with its bus, as every first call must; blocks for at most `patience` milliseconds.
  package func register(within patience: Int32) throws(Failure) {
    guard let hello = BusMessage.hello else { throw Failure(name: nil, words: "out of memory") }
    _ = try ask(hello, within: patience)
  }

  /// Sends a call and waits for its answer; blocks for at most `patience` milliseconds.
  package func ask(_ call: BusMessage, within patience: Int32) throws(Failure) -> BusMessage {
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    guard
      let answer = dbus_connection_send_with_reply_and_block(
        connection, call.pointer, patience, &error)
    else { throw Failure(error, else: "it cannot be used") }
    return BusMessage(taking: answer)
  }
}

extension BusConnection.Failure {
  fileprivate init(_ error: DBusError, else words: String) {
    self.init(
      name: error.name.map { String(cString: $0) },
      words: error.message.map { String(cString: $0) } ?? words)
  }
}
