// SPDX-License-Identifier: Apache-2.0

import ControlProtocol

@testable import LocationClient

/// Tests of one correspondence: its inputs, and what they lead to.
protocol Corresponding {
  var subject: Correspondence { get set }
}

extension Corresponding {
  mutating func take(_ input: Correspondence.Input) -> [Correspondence.Action] {
    var actions: [Correspondence.Action] = []
    subject.handle(input, into: &actions)
    return actions
  }

  mutating func sent(_ input: Correspondence.Input) -> [ClientMessage] {
    take(input).compactMap { if case .send(let message) = $0 { message } else { nil } }
  }

  /// The consumers that are handed a position.
  mutating func hearers(of input: Correspondence.Input) -> [Int] {
    take(input).compactMap {
      if case .hand(let notice, let id) = $0, notice.isLocation { id } else { nil }
    }
  }
}
