// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import JSONText

/// The programs that are registered for the duration of a scenario.
///
/// They are removed once: at its end, or by the thread that ends the program for a signal. During the removal no
/// program is registered.
final class ScenarioPrograms: @unchecked Sendable {
  // `lock` guards `names` and `isOver`.
  private let service: ServiceOptions
  private let lock = NSLock()
  private var names: [String] = []
  private var isOver = false

  init(_ service: ServiceOptions) { self.service = service }

  var all: [String] { lock.withLock { names } }

  func register(_ name: String, _ manifest: ClientMessage) throws {
    try lock.withLock {
      guard !isOver else { return }
      try service.tellDaemon(manifest)
      names.append(name)
    }
  }

  /// Removes all; reports those that stay, with the reason.
  func removeAll() {
    lock.withLock {
      guard !isOver else { return }
      isOver = true
      for name in names {
        do {
          try service.tellDaemon(.remove(name))
        } catch {
          let words = (error as? Complaint)?.message ?? "\(error)"
          Console.remark(
            "the program \(name) stays registered: \(words); milepost apps remove \(name)")
        }
      }
    }
  }
}
