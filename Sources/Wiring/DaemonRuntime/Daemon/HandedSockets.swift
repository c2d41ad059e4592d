// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import ServiceContract

/// Maps apps to their sockets: apps are known by name, the sender of a socket by its process group.
struct HandedSockets {
  private let sockets: SocketWatch
  private var groups: [String: Int32] = [:]
  private var path: String?

  init(_ inbox: Inbox) { sockets = SocketWatch { inbox.offer(.socket(group: $0)) } }

  /// Listens at the control socket's path plus `.handover`; returns the reason if it cannot.
  mutating func listen(beside socket: String) -> String? {
    let path = socket + ".handover"
    if let trouble = sockets.listen(at: path) { return trouble }
    self.path = path
    return nil
  }

  mutating func follow(event: ProcessEvent) {
    switch event {
    case .started(let app, let pid):
      groups[app] = pid
      sockets.know(pid)
    case .adopted(let app, let pid, let isFrozen):
      groups[app] = pid
      sockets.know(pid)
      if isFrozen { sockets.arm(pid) }
    case .ended(let app, _):
      if let group = groups.removeValue(forKey: app) { sockets.forget(group: group) }
    case .failedToStart, .prevented, .frozen, .thawed, .usesMemory, .warning: break
    }
  }

  func app(of group: Int32) -> String? { groups.first { $0.value == group }?.key }

  /// Sets whether the app is frozen, and its socket watched for it.
  func watch(_ app: String, _ isFrozen: Bool) {
    guard let group = groups[app] else { return }
    if isFrozen { sockets.arm(group) } else { sockets.disarm(group) }
  }

  /// Releases the socket that the app takes back.
  func release(_ app: String) {
    if let group = groups[app] { sockets.release(group) }
  }

  func closeSockets() async {
    await sockets.close()
    if let path { unlink(path) }
  }
}
