// SPDX-License-Identifier: Apache-2.0

/// How a broker is reached, as one connection needs it: with the password in it, so it is made anew for each.
struct MQTTWay: Sendable, Equatable {
  /// Seconds for which a broker keeps a session, and with it what was said to us: 30 days [ours].
  static let sessionExpiry: UInt32 = 2_592_000

  struct Proxy: Sendable, Equatable {
    var host: String
    var port: Int
  }

  var host: String
  var port: Int
  var isEncrypted = false
  /// The same each time; two clients with the same one end each other's connection.
  var clientID: String
  var user: String?
  var password: String?
  /// PEM certificates that are trusted in place of the system's.
  var authorities: String?
  /// Ours, for a broker that asks for one.
  var certificate: ClientCertificate?
  /// A SOCKS5 proxy, which looks up the name.
  var proxy: Proxy?
  /// Seconds after which a ping is sent where nothing else was, 5 or more.
  var keepAlive = 60
  /// Whether the broker keeps subscriptions and messages from one connection to the next.
  var keepsSession = false
  /// What the broker publishes when the connection ends without a word.
  var will: MQTTMessage?
}
