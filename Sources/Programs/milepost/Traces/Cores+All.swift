// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Replay
import Synchronization

extension Cores {
  /// As many at once as the machine has cores.
  static let all = Cores { worlds, body in
    let lanes = worlds.map(Lane.init)
    // A second reference here would make each world be copied before it changes.
    worlds.removeAll(keepingCapacity: true)
    DispatchQueue.concurrentPerform(iterations: lanes.count) { lanes[$0].live(body) }
    for lane in lanes { worlds += lane.leave() }
  }

  /// A world while one of the cores has it.
  private final class Lane: Sendable {
    private let world: Mutex<[World]>

    init(_ world: World) { self.world = Mutex([world]) }

    func live(_ body: @Sendable (inout World) -> Void) { world.withLock { body(&$0[0]) } }

    func leave() -> [World] {
      world.withLock { world in
        defer { world = [] }
        return world
      }
    }
  }
}
