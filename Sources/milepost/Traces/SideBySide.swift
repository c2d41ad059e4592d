// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Work on several things at once, as many as the machine has cores.
enum SideBySide {
  /// How many results are held at most before they are of use.
  static let windowLength = 64

  /// Hands what `work` makes of each input to `use`, in the order of the inputs.
  ///
  /// Inputs are taken `windowLength` at a time, so that where `use` throws, little was done in vain, and
  /// memory does not grow with their number. Throws what `use` throws.
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
