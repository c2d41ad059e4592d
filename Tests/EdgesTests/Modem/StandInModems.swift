// SPDX-License-Identifier: Apache-2.0

import CDBus
import Foundation
import Synchronization

// ModemManager's behaviour in release 1.20, as far as locations are concerned (src/mm-iface-modem-location.c): `Setup`
// needs an enabled modem and supported sources; the location is visible only while signals are on; changed properties
// are signalled.

/// A ModemManager with modems of our choice, on a bus of our choice.
final class StandInModems: Sendable {
  struct Modem: Sendable {
    var model = "EC25"
    var state: Int32 = 8
    /// `nil` is no location interface.
    var capabilities: UInt32? = 1
    var sources: UInt32 = 0
    var signals = false
    var text: String?
    /// The error with which `Setup` answers.
    var refusal: String?
  }

  struct SetupCall: Equatable {
    let path: String
    let sources: UInt32
    let signals: Bool
  }

  static let name = "org.freedesktop.ModemManager1"
  static let root = "/org/freedesktop/ModemManager1"
  static let location = name + ".Modem.Location"

  static func path(_ number: Int) -> String { "\(root)/Modem/\(number)" }

  private struct State {
    var modems: [Int: Modem]
    var calls: [SetupCall] = []
    var asked = 0
    var isStopped = false
  }

  /// libdbus locks by itself; the pointer never changes.
  private struct Bus: @unchecked Sendable { let connection: OpaquePointer }

  private let bus: Bus
  private let state: Mutex<State>
  /// Held over a call and its answer, and over a change and its signal: a test that has seen the signal of `Setup` must
  /// not insert its own change before the answer. Recursive, since a call changes too.
  private let step = NSRecursiveLock()
  private let ended = DispatchSemaphore(value: 0)

  /// Connects, takes the name and answers on a separate thread.
  init(_ modems: [Int: Modem], at address: String) throws {
    guard let connection = dbus_connection_open_private(address, nil),
      dbus_bus_register(connection, nil) != 0
    else { throw WaitedInVain(what: "no bus at \(address)") }
    dbus_connection_set_exit_on_disconnect(connection, 0)
    bus = Bus(connection: connection)
    state = Mutex(State(modems: modems))
    guard
      dbus_bus_request_name(connection, Self.name, 0, nil)
        == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER
    else { throw WaitedInVain(what: "the name is taken") }
    Thread { [self] in
      while !state.withLock({ $0.isStopped }),
        dbus_connection_read_write(bus.connection, 10) != 0
      {
        while let message = dbus_connection_pop_message(bus.connection) {
          step.withLock { answer(message) }
          dbus_message_unref(message)
        }
      }
      ended.signal()
    }.start()
  }

  var calls: [SetupCall] { state.withLock { $0.calls } }
  /// The number of requests for the modems.
  var asked: Int { state.withLock { $0.asked } }

  func stop() {
    let wasStopped = state.withLock { state in
      defer { state.isStopped = true }
      return state.isStopped
    }
    guard !wasStopped else { return }
    ended.wait()
    dbus_connection_close(bus.connection)
    dbus_connection_unref(bus.connection)
  }

  // MARK: What happens to modems

  func add(_ number: Int, _ modem: Modem) {
    step.lock()
    defer { step.unlock() }
    state.withLock { $0.modems[number] = modem }
    emit(Self.root, "org.freedesktop.DBus.ObjectManager", "InterfacesAdded") { arguments in
      arguments.path(Self.path(number))
      arguments.interfaces(modem)
    }
  }

  func remove(_ number: Int) {
    step.lock()
    defer { step.unlock() }
    state.withLock { $0.modems[number] = nil }
    emit(Self.root, "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved") { arguments in
      arguments.path(Self.path(number))
      arguments.strings([Self.name + ".Modem", Self.location])
    }
  }

  /// The modem reports a location; `nil` is no network.
  func camp(_ number: Int, at text: String?) {
    step.lock()
    defer { step.unlock() }
    let modem = state.withLock { state in
      state.modems[number]?.text = text
      return state.modems[number]
    }
    guard let modem, modem.signals, modem.sources & 1 != 0 else { return }
    emitChange(number, ["Location": .location(text)])
  }

  func enter(_ number: Int, state new: Int32) {
    step.lock()
    defer { step.unlock() }
    let old = state.withLock { state in
      defer { state.modems[number]?.state = new }
      return state.modems[number]?.state ?? 0
    }
    emit(Self.path(number), Self.name + ".Modem", "StateChanged") { arguments in
      arguments.basic(Int32(UInt8(ascii: "i")), old)
      arguments.basic(Int32(UInt8(ascii: "i")), new)
      arguments.basic(Int32(UInt8(ascii: "u")), UInt32(1))
    }
  }

  /// Sets the modem up as another program would.
  func setUp(_ number: Int, sources: UInt32, signals: Bool) {
    step.lock()
    defer { step.unlock() }
    let text = state.withLock { state in
      state.modems[number]?.sources = sources
      state.modems[number]?.signals = signals
      return state.modems[number]?.text
    }
    emitChange(
      number,
      [
        "Enabled": .number(sources), "SignalsLocation": .flag(signals),
        "Location": .location(signals ? text : nil),
      ])
  }

  private func emitChange(_ number: Int, _ properties: [String: Arguments.Value]) {
    emit(Self.path(number), "org.freedesktop.DBus.Properties", "PropertiesChanged") { arguments in
      arguments.string(Self.location)
      arguments.properties(properties)
      arguments.strings([])
    }
  }

  private func emit(
    _ path: String, _ interface: String, _ member: String, _ fill: (Arguments) -> Void
  ) {
    send(dbus_message_new_signal(path, interface, member), fill)
  }

  private func send(_ message: OpaquePointer?, _ fill: (Arguments) -> Void) {
    guard let message else { return }
    fill(Arguments(message))
    dbus_connection_send(bus.connection, message, nil)
    dbus_connection_flush(bus.connection)
    dbus_message_unref(message)
  }

  // MARK: Calls

  private func answer(_ message: OpaquePointer) {
    guard dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL,
      let member = dbus_message_get_member(message).map({ String(cString: $0) }),
      let path = dbus_message_get_path(message).map({ String(cString: $0) })
    else { return }
    let number = Int(path.split(separator: "/").last ?? "") ?? -1
    switch member {
    case "GetManagedObjects":
      let modems = state.withLock { state in
        state.asked += 1
        return state.modems
      }
      send(dbus_message_new_method_return(message)) { arguments in
        arguments.objects(modems)
      }
    case "Get":
      let modem = state.withLock { $0.modems[number] }
      send(dbus_message_new_method_return(message)) { arguments in
        arguments.variant(.location(modem?.signals == true ? modem?.text : nil))
      }
    case "Setup": setUp(number, path, message)
    default: refuse(message, "org.freedesktop.DBus.Error.UnknownMethod")
    }
  }

  private func setUp(_ number: Int, _ path: String, _ message: OpaquePointer) {
    var iterator = DBusMessageIter()
    dbus_message_iter_init(message, &iterator)
    var sources: UInt32 = 0
    dbus_message_iter_get_basic(&iterator, &sources)
    dbus_message_iter_next(&iterator)
    var signals: dbus_bool_t = 0
    dbus_message_iter_get_basic(&iterator, &signals)
    let call = SetupCall(path: path, sources: sources, signals: signals != 0)
    let modem = state.withLock { state in
      state.calls.append(call)
      return state.modems[number]
    }
    guard let modem, let capabilities = modem.capabilities else {
      return refuse(message, "org.freedesktop.DBus.Error.UnknownMethod")
    }
    if let refusal = modem.refusal { return refuse(message, refusal) }
    guard modem.state >= 6 else {
      return refuse(message, Self.name + ".Error.Core.WrongState")
    }
    guard sources & ~capabilities == 0 else {
      return refuse(message, Self.name + ".Error.Core.Unsupported")
    }
    setUp(number, sources: sources, signals: call.signals)
    send(dbus_message_new_method_return(message)) { _ in }
  }

  private func refuse(_ message: OpaquePointer, _ name: String) {
    send(dbus_message_new_error(message, name, "refused by the stand-in")) { _ in }
  }
}

/// Appends values to a message.
struct Arguments {
  enum Value {
    case number(UInt32)
    case integer(Int32)
    case flag(Bool)
    case text(String)
    /// `a{uv}` with the text under key 1, or empty.
    case location(String?)
  }

  private final class Place { var iterator = DBusMessageIter() }

  private let place = Place()

  init(_ message: OpaquePointer) { dbus_message_iter_init_append(message, &place.iterator) }

  private init(inside other: Arguments, _ type: Character, _ signature: String?) {
    dbus_message_iter_open_container(
      &other.place.iterator, Int32(type.asciiValue ?? 0), signature, &place.iterator)
  }

  private func inside(_ type: Character, _ signature: String?, _ body: (Arguments) -> Void) {
    let inner = Arguments(inside: self, type, signature)
    body(inner)
    dbus_message_iter_close_container(&place.iterator, &inner.place.iterator)
  }

  func basic<Number: FixedWidthInteger>(_ type: Int32, _ number: Number) {
    var number = number
    dbus_message_iter_append_basic(&place.iterator, type, &number)
  }

  func string(_ text: String) { append(text, "s") }
  func path(_ text: String) { append(text, "o") }

  private func append(_ text: String, _ type: Character) {
    text.withCString { text in
      var text: UnsafePointer<CChar>? = text
      dbus_message_iter_append_basic(&place.iterator, Int32(type.asciiValue ?? 0), &text)
    }
  }

  func strings(_ texts: [String]) {
    inside("a", "s") { array in texts.forEach { array.string($0) } }
  }

  func variant(_ value: Value) {
    switch value {
    case .number(let number):
      inside("v", "u") { $0.basic(Int32(UInt8(ascii: "u")), number) }
    case .integer(let number):
      inside("v", "i") { $0.basic(Int32(UInt8(ascii: "i")), number) }
    case .flag(let flag):
      inside("v", "b") { $0.basic(Int32(UInt8(ascii: "b")), dbus_bool_t(flag ? 1 : 0)) }
    case .text(let text): inside("v", "s") { $0.string(text) }
    case .location(let text):
      inside("v", "a{uv}") { variant in
        variant.inside("a", "{uv}") { array in
          guard let text else { return }
          array.inside("e", nil) { entry in
            entry.basic(Int32(UInt8(ascii: "u")), UInt32(1))
            entry.variant(.text(text))
          }
        }
      }
    }
  }

  /// `a{sv}`.
  func properties(_ properties: [String: Value]) {
    inside("a", "{sv}") { array in
      for (name, value) in properties {
        array.inside("e", nil) { entry in
          entry.string(name)
          entry.variant(value)
        }
      }
    }
  }

  /// `a{sa{sv}}` of one modem.
  func interfaces(_ modem: StandInModems.Modem) {
    var interfaces: [String: [String: Value]] = [
      StandInModems.name + ".Modem": [
        "State": .integer(modem.state), "Model": .text(modem.model),
      ],
      StandInModems.name + ".Modem.Modem3gpp": ["RegistrationState": .number(1)],
    ]
    if let capabilities = modem.capabilities {
      interfaces[StandInModems.location] = [
        "Capabilities": .number(capabilities), "Enabled": .number(modem.sources),
        "SignalsLocation": .flag(modem.signals),
        "Location": .location(modem.signals ? modem.text : nil),
      ]
    }
    inside("a", "{sa{sv}}") { array in
      for (name, properties) in interfaces {
        array.inside("e", nil) { entry in
          entry.string(name)
          entry.properties(properties)
        }
      }
    }
  }

  /// `a{oa{sa{sv}}}`.
  func objects(_ modems: [Int: StandInModems.Modem]) {
    inside("a", "{oa{sa{sv}}}") { array in
      for (number, modem) in modems {
        array.inside("e", nil) { entry in
          entry.path(StandInModems.path(number))
          entry.interfaces(modem)
        }
      }
    }
  }
}
