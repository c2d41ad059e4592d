// SPDX-License-Identifier: Apache-2.0

import LocationModel

extension Scorer {
  /// Takes the points of steps without a delivery.
  package mutating func pass(along steps: ArraySlice<PathStep>) {
    for index in steps.indices { pass(along: steps[index]) }
  }

  /// Takes the points of steps with a delivery at each.
  package mutating func pass(
    along steps: ArraySlice<PathStep>, delivering deliveries: ArraySlice<ScoredDelivery>
  ) {
    let offset = deliveries.startIndex - steps.startIndex
    for index in steps.indices {
      pass(along: steps[index])
      deliver(deliveries[index + offset])
    }
  }

  /// Takes the point of a step.
  @inline(__always)
  package mutating func pass(along step: PathStep) {
    pass(to: step.point, hasSky: step.hasSky)
    if step.stands { stands() }
  }
}
