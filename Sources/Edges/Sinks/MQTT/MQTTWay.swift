// SPDX-License-Identifier: Apache-2.0

/// The parameters of one connection to a broker: they include the password, so they are made anew for each.
struct MQTTWay: Sendable, Equatable {
  /// Seconds for which a broker keeps a session, and with it the messages for us: 30 days [ours].
  static let sessionExpiry: UInt32 = 2_592_000

  struct Proxy: Sendable, Equatable {
    var host: String
    var port: Int
  }

  var host: String
  var port: Int
  var isEncrypted = false
  /// Always the same; two clients with the same id end each other's connection.
  var clientID: String
  var user: String?
  var password: String?
  /// PEM certificates that are trusted in place of the system's.
  var authorities: String?
  /// Our certificate, for a broker that requests one.
  var certificate: ClientCertificate?
  /// A SOCKS5 proxy, which looks up the name.
  var proxy: Proxy?
  /// Seconds of silence after which a ping is sent, 5 or more.
  var keepAlive = 60
  /// Whether the broker keeps subscriptions and messages from one connection to the next.
  var keepsSession = false
  /// The message that the broker publishes when the connection ends without DISCONNECT.
  var will: MQTTMessage?
}
