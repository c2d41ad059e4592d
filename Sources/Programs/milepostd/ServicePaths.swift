// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import DaemonRuntime
import GPSDSource
import Glibc
import Host
import JSONText
import ServiceContract

/// The paths of the service, by the XDG base directory specification and systemd's variables (systemd.exec(5)).
/// Directories and socket are absolute: apps receive them, and run in other directories.
struct ServicePaths {
  let state: String
  let runtime: String
  let socket: String
  /// The named file, which must exist, else the usual path, where none need exist; `nil` if there is no home either.
  let configurationFile: String?
  private let isConfigurationNamed: Bool

  /// A directory that is made if it is missing, and the way in which the user names another one.
  private struct Folder {
    let name: String
    let ways: String

    static let state = Folder(
      name: "state directory", ways: "--state, STATE_DIRECTORY or XDG_STATE_HOME")
    static let runtime = Folder(
      name: "runtime directory", ways: "--runtime, RUNTIME_DIRECTORY or XDG_RUNTIME_DIR")
  }

  init(state: String?, runtime: String?, socket: String?, config: String?) throws {
    for (option, value) in [("--state", state), ("--runtime", runtime), ("--socket", socket)] {
      if value == "" { throw Complaint("\(option) is empty; give a path, or leave it out") }
    }
    let home = Self.home
    let base = Self.variable("XDG_STATE_HOME") ?? home.map { $0 + "/.local/state" }
    guard
      let state = state ?? Self.variable("STATE_DIRECTORY") ?? base.map({ $0 + "/milepost" })
    else {
      throw Complaint(
        "there is no place for the state: user \(getuid()) has no home; set HOME or give --state")
    }
    self.state = try Self.absolute(state)
    self.runtime = try Self.absolute(
      runtime ?? Self.variable("RUNTIME_DIRECTORY")
        ?? Self.variable("XDG_RUNTIME_DIR").map { $0 + "/milepost" }
        ?? "/run/user/\(getuid())/milepost")
    self.socket = try Self.absolute(
      socket ?? Self.variable("MILEPOST_SOCKET") ?? self.runtime + "/socket")
    configurationFile = config ?? Self.usualConfigurationFile
    isConfigurationNamed = config != nil
    try Self.make(self.state, .state)
    try Self.make(self.runtime, .runtime)
  }

  private static var usualConfigurationFile: String? {
    configurationFolder.map { $0 + "/milepostd.yaml" }
  }

  private static var configurationFolder: String? {
    let base = variable("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }
    return base.map { $0 + "/milepost" }
  }

  func configuration() throws -> DaemonConfiguration {
    guard isConfigurationNamed, let configurationFile else { return try Self.usualConfiguration() }
    return try Self.configuration(configurationFile)
  }

  /// The user's configuration at the usual path. One in TOML, from before, is refused: who wrote it counts on it.
  static func usualConfiguration() throws -> DaemonConfiguration {
    // One that may not be looked at is no missing one: reading it says why.
    guard let file = usualConfigurationFile, Presence(of: file) != .absent else {
      if let old = configurationFolder.map({ $0 + "/milepostd.toml" }), Presence(of: old) == .there
      {
        return try configuration(old)
      }
      var nothing = DaemonConfiguration()
      nothing.isAbsent = true
      return nothing
    }
    return try configuration(file)
  }

  private static func configuration(_ file: String) throws -> DaemonConfiguration {
    do {
      return try DaemonConfiguration.readFile(file)
    } catch {
      throw Complaint("\(error)")
    }
  }

  /// The path of a program that belongs to this one: beside it, as in builds, or in the directory for internal
  /// programs, `../libexec/milepost`, as in packages (Filesystem Hierarchy Standard 3.0, 4.7).
  static func companion(_ name: String) throws -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0 else { throw Complaint("/proc/self/exe cannot be read: is /proc mounted?") }
    let own = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folders = own.split(separator: "/").dropLast().map(String.init)
    let beside = "/" + (folders + [name]).joined(separator: "/")
    let apart = "/" + (folders.dropLast() + ["libexec", "milepost", name]).joined(separator: "/")
    for path in [beside, apart] where access(path, X_OK) == 0 { return path }
    throw Complaint(
      "\(name) is neither \(beside) nor \(apart); milepostd needs it: swift build makes it, and the package "
        + "milepostd brings it")
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// The user's home directory: HOME, else the system's entry; `nil` if there is none.
  private static var home: String? {
    if let home = variable("HOME") { return home }
    guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir, home.pointee != 0 else {
      return nil
    }
    return String(cString: home)
  }

  private static func absolute(_ path: String) throws -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else {
      throw Complaint(
        "\(path): the working directory is not known: \(SystemError.text()); give a path "
          + "that begins with /")
    }
    defer { free(folder) }
    let prefix = String(cString: folder)
    return (prefix == "/" ? "" : prefix) + "/" + path
  }

  /// Makes a directory and those above it, only for this user.
  private static func make(_ path: String, _ folder: Folder) throws {
    func complaint(_ place: String, _ reason: String) -> Complaint {
      let which = place == path ? "" : "\(place): "
      return Complaint(
        "\(path): the \(folder.name) cannot be made: \(which)\(reason); name another one with "
          + folder.ways)
    }
    func make(_ place: String) throws {
      var status = stat()
      if stat(place, &status) == 0 {
        guard status.st_mode & S_IFMT == S_IFDIR else { throw complaint(place, "not a directory") }
        return
      }
      if let slash = place.lastIndex(of: "/"), slash != place.startIndex {
        try make(String(place[..<slash]))
      }
      guard mkdir(place, 0o700) == 0 || errno == EEXIST else {
        throw complaint(place, SystemError.text())
      }
    }
    try make(path)
  }
}

extension DaemonConfiguration {
  /// Takes `host:port`, `host`, or `[address]:port`.
  mutating func listen(toGPSDAt text: String) throws {
    guard let address = GPSDSource.Address(text: text) else {
      throw Complaint(
        "'\(text)' is no address of gpsd; write HOST:PORT, for example localhost:2947 or [::1]:2947"
      )
    }
    gpsdHost = address.host
    gpsdPort = address.port
  }
}
