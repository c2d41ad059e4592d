// SPDX-License-Identifier: Apache-2.0

import CDBus
import Glibc

// Theory
// ======
//
// libdbus is used as a plain encoder and decoder with a socket: no blocking call, no pending call, no
// timer, no dispatch. A call is sent and its serial remembered; what arrives is popped, decoded into
// values at once and released. The bus' own `Hello` is a call like any other.
//
// The caller waits, with `poll`, for what libdbus' watches ask for (dbus-connection.h,
// dbus_connection_set_watch_functions): while the connection is authenticated, reading and writing take
// turns, and only libdbus knows whose turn it is. All of it happens on one thread.

/// One connection to a message bus: the only owner of libdbus' objects.
final class BusConnection {
  /// Why there is no connection.
  struct Failure: Error {
    let words: String
  }

  /// What came from the bus.
  enum Arrival: Equatable {
    case answer(BusAnswer, to: BusCall)
    case signal(BusSignal, from: String)
  }

  /// Bytes of one message at most; libdbus ends a connection on which a longer one comes. The list of
  /// all modems has some kilobytes for each.
  static let messageLimit = 1 << 20
  /// Calls that may wait for their answers; the machine has eight at most.
  static let callLimit = 64

  private let connection: OpaquePointer
  private let watches = Watches()
  private var calls: [UInt32: BusCall] = [:]

  /// Seconds of a clock that only goes forwards: what its users wait by.
  static var now: Double {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Where the system bus listens (D-Bus specification, "System message bus").
  static var systemAddress: String {
    guard let stated = getenv("DBUS_SYSTEM_BUS_ADDRESS") else {
      return "unix:path=/var/run/dbus/system_bus_socket"
    }
    return String(cString: stated)
  }

  /// Connects; authentication and everything after it are the business of `exchange`.
  init(_ address: String) throws(Failure) {
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    // SIGPIPE is the program's own business; libdbus sends with MSG_NOSIGNAL anyway.
    dbus_connection_set_change_sigpipe(0)
    guard let opened = dbus_connection_open_private(address, &error) else {
      throw Failure(words: error.message.map { String(cString: $0) } ?? "it cannot be opened")
    }
    connection = opened
    dbus_connection_set_exit_on_disconnect(opened, 0)
    dbus_connection_set_max_message_size(opened, Self.messageLimit)
    dbus_connection_set_max_received_size(opened, Self.messageLimit)
    dbus_connection_set_max_message_unix_fds(opened, 0)
    guard watches.follow(opened) else { throw Failure(words: "out of memory") }
  }

  /// Closes and releases. No call may follow.
  deinit {
    watches.forget(connection)
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
  }

  /// What to wait for, for `poll`.
  var awaited: [pollfd] { watches.awaited }

  /// Reads and writes what `poll` found, and takes what has come. `nil` where the bus has gone.
  func exchange(_ ready: [pollfd]) -> [Arrival]? {
    watches.handle(ready)
    var arrivals: [Arrival] = []
    while let message = dbus_connection_pop_message(connection) {
      if let arrival = take(message) { arrivals.append(arrival) }
      dbus_message_unref(message)
    }
    return dbus_connection_get_is_connected(connection) == 0 ? nil : arrivals
  }

  /// Sends a call, or at least queues it. `false` where there is no memory, or too many wait.
  func send(_ call: BusCall) -> Bool {
    guard calls.count < Self.callLimit, let message = call.message else { return false }
    defer { dbus_message_unref(message) }
    // ModemManager is not to be started by us.
    dbus_message_set_auto_start(message, 0)
    var serial: UInt32 = 0
    guard dbus_connection_send(connection, message, &serial) != 0 else { return false }
    calls[serial] = call
    return true
  }

  private func take(_ message: OpaquePointer) -> Arrival? {
    let reader = MessageReader(message)
    switch dbus_message_get_type(message) {
    case DBUS_MESSAGE_TYPE_METHOD_RETURN:
      guard let call = calls.removeValue(forKey: dbus_message_get_reply_serial(message)) else {
        return nil
      }
      return .answer(reader.answer(to: call), to: call)
    case DBUS_MESSAGE_TYPE_ERROR:
      guard let call = calls.removeValue(forKey: dbus_message_get_reply_serial(message)) else {
        return nil
      }
      return .answer(reader.refusal, to: call)
    case DBUS_MESSAGE_TYPE_SIGNAL:
      guard let sender = dbus_message_get_sender(message), let signal = reader.signal else {
        return nil
      }
      return .signal(signal, from: String(cString: sender))
    case DBUS_MESSAGE_TYPE_METHOD_CALL:
      refuse(message)
      return nil
    default: return nil
    }
  }

  /// We have no methods; who calls one shall not wait for an answer.
  private func refuse(_ message: OpaquePointer) {
    guard dbus_message_get_no_reply(message) == 0,
      let answer = dbus_message_new_error(
        message, "org.freedesktop.DBus.Error.UnknownMethod", "there is nothing to call here")
    else { return }
    dbus_connection_send(connection, answer, nil)
    dbus_message_unref(answer)
  }
}

/// The descriptors that libdbus wants to be woken for.
private final class Watches {
  private var watches: [OpaquePointer] = []

  /// `false` where there is no memory.
  func follow(_ connection: OpaquePointer) -> Bool {
    dbus_connection_set_watch_functions(
      connection,
      { watch, data in
        guard let watch, let data else { return 0 }
        Watches.at(data).watches.append(watch)
        return 1
      },
      { watch, data in
        guard let watch, let data else { return }
        Watches.at(data).watches.removeAll { $0 == watch }
      },
      { _, _ in }, Unmanaged.passUnretained(self).toOpaque(), nil) != 0
  }

  func forget(_ connection: OpaquePointer) {
    dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
  }

  private static func at(_ data: UnsafeMutableRawPointer) -> Watches {
    Unmanaged<Watches>.fromOpaque(data).takeUnretainedValue()
  }

  var awaited: [pollfd] {
    watches.filter { dbus_watch_get_enabled($0) != 0 }.map { watch in
      let flags = dbus_watch_get_flags(watch)
      var events: Int16 = 0
      if flags & DBUS_WATCH_READABLE.rawValue != 0 { events |= Int16(POLLIN) }
      if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { events |= Int16(POLLOUT) }
      return pollfd(fd: dbus_watch_get_unix_fd(watch), events: events, revents: 0)
    }
  }

  func handle(_ ready: [pollfd]) {
    // A watch that is handled may make another one disappear.
    for watch in watches where watches.contains(watch) {
      guard dbus_watch_get_enabled(watch) != 0 else { continue }
      let descriptor = dbus_watch_get_unix_fd(watch)
      let wanted = dbus_watch_get_flags(watch)
      var flags: UInt32 = 0
      for entry in ready where entry.fd == descriptor {
        let events = Int32(entry.revents)
        if events & POLLIN != 0 { flags |= DBUS_WATCH_READABLE.rawValue & wanted }
        if events & POLLOUT != 0 { flags |= DBUS_WATCH_WRITABLE.rawValue & wanted }
        if events & POLLERR != 0 { flags |= DBUS_WATCH_ERROR.rawValue }
        if events & POLLHUP != 0 { flags |= DBUS_WATCH_HANGUP.rawValue }
      }
      if flags != 0 { dbus_watch_handle(watch, flags) }
    }
  }
}
