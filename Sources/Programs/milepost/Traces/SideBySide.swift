// SPDX-License-Identifier: Apache-2.0

import Dispatch
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
