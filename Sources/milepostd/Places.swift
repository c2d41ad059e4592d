// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import DaemonRuntime
import GPSDSource
import Glibc
import Settings

/// Where things lie, by the XDG base directory specification and what systemd sets (systemd.exec(5)).
struct Places {
  let state: String
  let runtime: String
  let socket: String
  /// `nil` where there is none.
  let configurationFile: String?

  init(state: String?, runtime: String?, socket: String?, config: String?) throws {
    let home = Self.variable("HOME") ?? "/"
    self.state =
      state ?? Self.variable("STATE_DIRECTORY")
      ?? (Self.variable("XDG_STATE_HOME") ?? "\(home)/.local/state") + "/milepost"
    let chosen =
      runtime ?? Self.variable("RUNTIME_DIRECTORY")
      ?? Self.variable("XDG_RUNTIME_DIR").map { $0 + "/milepost" }
      ?? "/run/user/\(getuid())/milepost"
    self.runtime = chosen
    self.socket = socket ?? Self.variable("MILEPOST_SOCKET") ?? chosen + "/socket"
    let usual =
      (Self.variable("XDG_CONFIG_HOME") ?? "\(home)/.config") + "/milepost/milepostd.toml"
    if let config {
      configurationFile = config
    } else {
      configurationFile = access(usual, F_OK) == 0 ? usual : nil
    }
    for directory in [self.state, self.runtime] { try Self.make(directory) }
  }

  func configuration() throws -> DaemonConfiguration {
    guard let configurationFile else { return DaemonConfiguration() }
    do {
      return try DaemonConfiguration.read(configurationFile)
    } catch {
      throw Complaint(words(of: error))
    }
  }

  /// The path of a program that lies beside this one.
  static func sibling(_ name: String) throws -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0 else { throw Complaint("/proc/self/exe cannot be read: is /proc mounted?") }
    let own = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = own.split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/\(name)"
    guard access(path, X_OK) == 0 else {
      throw Complaint(
        "\(path) is missing; it belongs beside milepostd (swift build makes all three programs)")
    }
    return path
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Makes a directory and those above it, for this user alone.
  private static func make(_ path: String) throws {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw Complaint("\(path): not a directory; name another one, or move it away")
      }
      return
    }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try make(String(path[..<slash]))
    }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw Complaint("\(path): cannot be made: \(String(cString: strerror(errno)))")
    }
  }
}

extension DaemonConfiguration {
  /// Takes `host:port`, `host`, or `[address]:port`.
  mutating func take(gpsd text: String) throws {
    guard let address = GPSDSource.Address(text: text) else {
      throw Complaint(
        "'\(text)' is no address of gpsd; write HOST:PORT, for example localhost:2947 or [::1]:2947"
      )
    }
    gpsdHost = address.host
    gpsdPort = address.port
  }
}
