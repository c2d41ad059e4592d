// SPDX-License-Identifier: Apache-2.0

import LocationModel

extension Scorer {
  /// Takes the points of steps without a delivery.
  package mutating func pass(along steps: ArraySlice<PathStep>) {
    var next = steps.startIndex
    while next < steps.endIndex {
      next = passQuiet(steps, from: next)
      guard next < steps.endIndex else { return }
      pass(along: steps[next])
      next += 1
    }
  }

  /// Takes the points of steps, each of them with what is told at its end.
  package mutating func pass(
    along steps: ArraySlice<PathStep>, told tellings: ArraySlice<Telling>
  ) {
    let offset = tellings.startIndex - steps.startIndex
    var next = steps.startIndex
    while next < steps.endIndex {
      pass(along: steps[next])
      deliver(tellings[next + offset].delivery)
      next += 1
      next += passTold(tellings[(next + offset)...])
    }
  }

  /// Takes the point of a step.
  @inline(__always)
  package mutating func pass(along step: PathStep) {
    pass(to: step.point, hasSky: step.hasSky)
    if step.stands { stands() }
  }
}
