// SPDX-License-Identifier: Apache-2.0

import ControlProtocol

@testable import LocationClient

/// Tests of one machine: its inputs, and what they lead to.
protocol SessionDriving {
  var subject: SessionMachine { get set }
}

extension SessionDriving {
  mutating func send(_ input: SessionMachine.Input) -> [SessionMachine.Action] {
    var actions: [SessionMachine.Action] = []
    subject.handle(input, into: &actions)
    return actions
  }

  mutating func sent(_ input: SessionMachine.Input) -> [ClientMessage] {
    send(input).compactMap { if case .send(let message) = $0 { message } else { nil } }
  }

  /// The consumers that are handed a position.
  mutating func hearers(of input: SessionMachine.Input) -> [Int] {
    send(input).compactMap {
      if case .hand(let notice, let id) = $0, notice.isLocation { id } else { nil }
    }
  }
}
