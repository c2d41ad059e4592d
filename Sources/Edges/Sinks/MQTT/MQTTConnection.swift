// SPDX-License-Identifier: Apache-2.0

import CMosquitto
import CUnix
import Glibc
import Host
import ServiceContract

// Theory
// ======
//
// libmosquitto is used as an encoder and decoder with a socket: without its thread, without `mosquitto_loop`, which
// uses select(2) and refuses descriptors from 1024 on, and without reconnecting. One object is one connection; when
// that ends, the object is discarded, together with everything that the library would have sent again.
//
// Three undocumented facts, from 2.0.11's and 2.0.18's lib/connect.c and lib/net_mosq.c:
// - `mosquitto_connect_bind_async` works with an external loop: the socket connects without blocking, and CONNECT is
//   sent with the first `loop_write` after that. It uses the first address that does not refuse at once; `bind_address`
//   0.0.0.0 restricts it to IPv4. Names are looked up before it returns.
// - It takes the properties of CONNECT from the last `mosquitto_connect_bind_v5`, which stores them before it looks at
//   the host; without a host it does nothing else.
// - During the TLS handshake, `want_write` stays true and would make poll(2) spin: until the CONNACK we wait for input,
//   and write after each reading.
// Writing to a socket that the other side has closed raises SIGPIPE in 2.0.11: its thread blocks signals.

/// One connection to a broker: the only owner of libmosquitto's handle. Everything happens on one thread.
final class MQTTConnection {
  /// An event of the connection.
  enum Happening: Equatable {
    case reached
    case connected(MQTTWelcome)
    case notLetIn(MQTTReason)
    case subscribed(MQTTReason)
    /// With the number that `publish` returned.
    case acknowledged(Int32, MQTTReason)
    case arrived(MQTTArrival)
    case failed(MQTTTrouble, isIPv6: Bool)
    case closed(MQTTReason?)

    /// Whether the connection ends with it.
    var isEnd: Bool {
      switch self {
      case .notLetIn, .failed, .closed: true
      case .reached, .connected, .subscribed, .acknowledged, .arrived: false
      }
    }
  }

  private let handle: OpaquePointer
  fileprivate var happenings: [Happening] = []
  /// The library's complaints, newest last.
  private(set) var complaints: [String] = []
  /// The server's reason, if it gave one.
  fileprivate var closing: MQTTReason?
  private var isReached = false
  fileprivate var isLetIn = false
  /// The same socket, for queries after the library has closed its own.
  private var socket: Int32 = -1
  private var isIPv6 = false
  /// The broker's own address behind TLS; `nil` without TLS, or through a proxy.
  private let secured: (host: String, port: Int)?

  private static let library: Bool = {
    mosquitto_lib_init()
    return true
  }()

  /// Begins to connect. Throws if that fails at once.
  init(_ way: MQTTWay, _ version: MQTTVersion, isIPv4Only: Bool) throws(MQTTTrouble) {
    guard Self.library, let handle = mosquitto_new(way.clientID, !way.keepsSession, nil) else {
      throw MQTTTrouble.unreachable(SystemError.text())
    }
    self.handle = handle
    secured = way.isEncrypted && way.proxy == nil ? (way.host, way.port) : nil
    // `userdata` NULL becomes the handle itself: it is set before any callback can come.
    mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
    setCallbacks()
    if let problem = prepare(way, version) { throw problem }
    let code = mosquitto_connect_bind_async(
      handle, way.host, Int32(way.port), Int32(way.keepAlive), isIPv4Only ? "0.0.0.0" : nil)
    let number = errno
    if code == MOSQ_ERR_TLS.rawValue { throw tlsTrouble }
    if code == MOSQ_ERR_ERRNO.rawValue, number == EPROTO { throw unshaken }
    if code > 0 { throw MQTTTrouble.unreachable(Self.words(code, number)) }
    let open = mosquitto_socket(handle)
    guard open >= 0 else { throw MQTTTrouble.unreachable("no socket could be made") }
    socket = fcntl(open, F_DUPFD_CLOEXEC, 0)
    isIPv6 = Self.isIPv6(open)
  }

  deinit {
    mosquitto_destroy(handle)
    if socket >= 0 { Glibc.close(socket) }
  }

  /// The socket to wait for, for poll(2); `nil` if it is closed.
  var awaited: pollfd? {
    let open = mosquitto_socket(handle)
    guard open >= 0 else { return nil }
    let writes = isLetIn ? mosquitto_want_write(handle) : !isReached
    return pollfd(fd: open, events: Int16(writes ? POLLIN | POLLOUT : POLLIN), revents: 0)
  }

  /// The octets above TCP so far.
  var traffic: SinkTraffic {
    var (up, down): (Int64, Int64) = (0, 0)
    guard socket >= 0, unix_octets(socket, &up, &down) == 0 else {
      return SinkTraffic(up: 0, down: 0)
    }
    return SinkTraffic(up: Int(up), down: Int(down))
  }

  /// Reads and writes on the socket as `poll` found it, and returns the events.
  func exchange(_ found: Int16) -> [Happening] {
    guard found != 0 else { return taken() }
    if !isReached {
      // A connection that was reached and has ended since is read to its end below.
      if let code = pendingError(), code != ECONNRESET, code != EPIPE {
        happenings.append(.failed(.unreachable(SystemError.text(code)), isIPv6: isIPv6))
        return taken()
      }
      isReached = true
      happenings.append(.reached)
    }
    var code = MOSQ_ERR_SUCCESS.rawValue
    errno = 0
    code = mosquitto_loop_read(handle, 1)
    if code == MOSQ_ERR_SUCCESS.rawValue, mosquitto_socket(handle) >= 0 {
      errno = 0
      code = mosquitto_loop_write(handle, 1)
    }
    conclude(code, errno, isDead: found & Int16(POLLERR | POLLHUP | POLLNVAL) != 0)
    return taken()
  }

  /// Sends a ping if one is due, and ends a connection on which none was answered.
  func keepAlive() -> [Happening] {
    conclude(mosquitto_loop_misc(handle), 0, isDead: false)
    return taken()
  }

  func subscribe(_ topic: String) {
    mosquitto_subscribe_v5(handle, nil, topic, 1, 0, nil)
  }

  /// Returns the number that its acknowledgement will have, or the refusal.
  func publish(_ message: MQTTMessage) -> Result<Int32, MQTTRefusal> {
    var number: Int32 = 0
    let code = mosquitto_publish_v5(
      handle, &number, message.topic, Int32(message.payload.count), message.payload,
      message.quality, message.isRetained, nil)
    switch code {
    case MOSQ_ERR_SUCCESS.rawValue, MOSQ_ERR_NO_CONN.rawValue, MOSQ_ERR_CONN_LOST.rawValue,
      MOSQ_ERR_ERRNO.rawValue:
      // The next `exchange` reports a connection that ended meanwhile, and the message comes again.
      return .success(number)
    case MOSQ_ERR_OVERSIZE_PACKET.rawValue: return .failure(.reason(MQTTReason(rawValue: 0x95)))
    case MOSQ_ERR_QOS_NOT_SUPPORTED.rawValue: return .failure(.reason(MQTTReason(rawValue: 0x9b)))
    default: return .failure(.words(Self.words(code, errno)))
    }
  }

  /// Sends DISCONNECT; `willStands`: so that the broker publishes the last will (MQTT 5, 3.14.2.1, code 4).
  func disconnect(willStands: Bool, _ version: MQTTVersion) {
    guard willStands else {
      mosquitto_disconnect_v5(handle, 0, nil)
      return
    }
    // With 3.1.1 the will is published if no DISCONNECT is sent.
    if version == .five { mosquitto_disconnect_v5(handle, 4, nil) }
  }

  // MARK: Endings

  /// The events that were not reported yet.
  func taken() -> [Happening] {
    defer { happenings = [] }
    return happenings
  }

  private func pendingError() -> Int32? {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(mosquitto_socket(handle), SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
      return errno
    }
    return code == 0 ? nil : code
  }

  /// Handles the result of a library call.
  private func conclude(_ code: Int32, _ number: Int32, isDead: Bool) {
    let isOpen = mosquitto_socket(handle) >= 0
    guard code != MOSQ_ERR_SUCCESS.rawValue || !isOpen || isDead else { return }
    let isOver = happenings.contains { if case .notLetIn = $0 { true } else { false } }
    guard !isOver else { return }
    if !isLetIn, let line = tlsLine, TLSAlert.refusesOurCertificate(line) {
      return happenings.append(.failed(.unproven(tlsWords), isIPv6: false))
    }
    switch code {
    case MOSQ_ERR_TLS.rawValue:
      happenings.append(.failed(tlsTrouble, isIPv6: false))
    case MOSQ_ERR_PROXY.rawValue:
      let words = complaints.last ?? "it says no"
      happenings.append(
        .failed(.unreachable("the proxy does not connect: \(words)"), isIPv6: false))
    case MOSQ_ERR_ERRNO.rawValue
    where !isLetIn && ![0, ECONNRESET, EPIPE, EPROTO].contains(number):
      happenings.append(.failed(.unreachable(SystemError.text(number)), isIPv6: false))
    default:
      happenings.append(
        refusal.map { .failed(.unreachable($0), isIPv6: false) } ?? .closed(closing))
    }
  }

  /// TLS that ended in its handshake (EPROTO); if the broker rejects our certificate, its alert may be lost.
  private var unshaken: MQTTTrouble {
    if tlsLine.map(TLSAlert.refusesOurCertificate) == true { return .unproven(tlsWords) }
    return refusal.map { .unreachable($0) } ?? .unwelcome
  }

  /// The system's reason why the broker of TLS cannot be connected to; `nil` if it has sent anything, or can be. TLS
  /// takes the socket's error away, so the system is asked once more.
  private var refusal: String? {
    guard let secured, !isLetIn, traffic.down == 0 else { return nil }
    return PlainConnection.refusal(of: secured.host, secured.port)
  }

  private static func words(_ code: Int32, _ number: Int32) -> String {
    switch code {
    case MOSQ_ERR_EAI.rawValue: String(cString: gai_strerror(number))
    case MOSQ_ERR_ERRNO.rawValue: SystemError.text(number)
    default: String(cString: mosquitto_strerror(code))
    }
  }

  private static func isIPv6(_ socket: Int32) -> Bool {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    return code == 0 && address.ss_family == sa_family_t(AF_INET6)
  }
}

/// The reason why the library rejects a message.
enum MQTTRefusal: Error, Equatable {
  case reason(MQTTReason)
  case words(String)
}

// MARK: Before and during

extension MQTTConnection {
  /// Sets everything before a connection begins; returns the fault.
  private func prepare(_ way: MQTTWay, _ version: MQTTVersion) -> MQTTTrouble? {
    mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version == .five ? 5 : 4)
    mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
    if let user = way.user { mosquitto_username_pw_set(handle, user, way.password) }
    if let proxy = way.proxy {
      let code = mosquitto_socks5_set(handle, proxy.host, Int32(proxy.port), nil, nil)
      guard code == 0 else { return .unreachable("the proxy: \(Self.words(code, errno))") }
    }
    if way.isEncrypted {
      if let trouble = trust(way) { return trouble }
    }
    if let will = way.will {
      let code = mosquitto_will_set_v5(
        handle, will.topic, Int32(will.payload.count), will.payload, will.quality,
        will.isRetained, nil)
      guard code == 0 else { return .unreachable("the last will: \(Self.words(code, errno))") }
    }
    if version == .five, way.keepsSession {
      var properties: OpaquePointer?
      mosquitto_property_add_int32(
        &properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue.asInt32, MQTTWay.sessionExpiry)
      // Only stores the properties; see above.
      mosquitto_connect_bind_v5(handle, nil, 0, 0, nil, properties)
      mosquitto_property_free_all(&properties)
    }
    return nil
  }

  /// Sets the trusted authorities, and our certificate.
  private func trust(_ way: MQTTWay) -> MQTTTrouble? {
    var code: Int32 = 0
    if way.authorities == nil {
      code = mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1)
    }
    if code == 0, way.authorities != nil || way.certificate != nil {
      // With our certificate the library requires a path of authorities; the system's are trusted in any case.
      code = mosquitto_tls_set(
        handle, way.authorities, way.authorities == nil ? "/etc/ssl/certs" : nil,
        way.certificate?.certificate, way.certificate?.key, nil)
    }
    return code == 0 ? nil : .notReady("the files for TLS: \(Self.words(code, errno))")
  }

  private func setCallbacks() {
    mosquitto_connect_v5_callback_set(handle) { _, context, code, flags, properties in
      let connection = MQTTConnection.of(context)
      let reason = MQTTReason(connack: code)
      guard code == 0 else { return connection.happenings.append(.notLetIn(reason)) }
      connection.isLetIn = true
      var welcome = MQTTWelcome()
      welcome.hasSession = flags & 1 != 0
      var maximum: UInt16 = 0
      if mosquitto_property_read_int16(
        properties, MQTT_PROP_RECEIVE_MAXIMUM.rawValue.asInt32, &maximum, false) != nil
      {
        welcome.receiveMaximum = Int(maximum)
      }
      connection.happenings.append(.connected(welcome))
    }
    mosquitto_publish_v5_callback_set(handle) { _, context, number, code, _ in
      MQTTConnection.of(context).happenings.append(
        .acknowledged(number, MQTTReason(rawValue: code)))
    }
    mosquitto_subscribe_v5_callback_set(handle) { _, context, _, count, codes, _ in
      guard count > 0, let codes else { return }
      MQTTConnection.of(context).happenings.append(.subscribed(MQTTReason(rawValue: codes[0])))
    }
    mosquitto_message_v5_callback_set(handle) { _, context, message, _ in
      guard let message = message?.pointee, let topic = message.topic else { return }
      let payload = UnsafeRawBufferPointer(
        start: message.payload, count: Int(max(0, message.payloadlen)))
      MQTTConnection.of(context).happenings.append(
        .arrived(
          MQTTArrival(
            topic: String(cString: topic), payload: Array(payload), isRetained: message.retain)))
    }
    mosquitto_disconnect_v5_callback_set(handle) { _, context, code, _ in
      // Values below 0x80 are the library's own codes.
      if code >= 0x80 { MQTTConnection.of(context).closing = MQTTReason(rawValue: code) }
    }
    mosquitto_log_callback_set(handle) { _, context, level, text in
      guard level & Int32(MOSQ_LOG_ERR | MOSQ_LOG_WARNING) != 0, let text else { return }
      let connection = MQTTConnection.of(context)
      connection.complaints.append(String(cString: text))
      if connection.complaints.count > 8 { connection.complaints.removeFirst() }
    }
  }

  fileprivate static func of(_ context: UnsafeMutableRawPointer?) -> MQTTConnection {
    guard let context else { preconditionFailure("no user data was set") }
    return Unmanaged<MQTTConnection>.fromOpaque(context).takeUnretainedValue()
  }
}

extension UInt32 {
  fileprivate var asInt32: Int32 { Int32(truncatingIfNeeded: self) }
}
