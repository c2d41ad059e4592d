// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Replay
import Synchronization

/// Parallel work on several inputs, as many as the machine has cores.
enum SideBySide {
  /// The limit of results that are held before they are used.
  static let windowLength = 64

  /// Passes the result of `work` for each input to `use`, in the order of the inputs.
  ///
  /// Inputs are taken `windowLength` at a time, so that if `use` throws, little work was wasted, and memory does not
  /// grow with their number. Throws the errors of `use`.
  static func forEach<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], _ work: @Sendable (Input) -> Output, _ use: (Output) throws -> Void
  ) rethrows {
    for start in stride(from: 0, to: inputs.count, by: windowLength) {
      let window = inputs[start..<min(start + windowLength, inputs.count)]
      let outputs = Mutex([Output?](repeating: nil, count: window.count))
      DispatchQueue.concurrentPerform(iterations: window.count) { place in
        let output = work(window[start + place])
        outputs.withLock { $0[place] = output }
      }
      for case .some(let output) in outputs.withLock({ $0 }) { try use(output) }
    }
  }
}

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
