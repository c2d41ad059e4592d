// SPDX-License-Identifier: Apache-2.0

import Glibc
import MessageBus
package import ServiceContract
import Threads

/// The modems that ModemManager knows, asked once, without any setup or subscription, and without
/// starting ModemManager.
package enum ModemSurvey: Sendable, Equatable {
  /// The system bus cannot be reached, with the reason.
  case noBus(String)
  case noModemManager
  /// ModemManager, or the bus, refused the question or did not answer.
  case refused(String)
  /// The modems in ModemManager's list; empty if it knows none.
  case modems([Modem])

  package struct Modem: Sendable, Equatable {
    /// The model, if known, and its number.
    package var title: String
    package var state: ModemState
    /// Whether it can report its cells, and whether it does now.
    package var knowsCells: Bool
    package var tellsCells: Bool

    package init(title: String, state: ModemState, knowsCells: Bool, tellsCells: Bool) {
      self.title = title
      self.state = state
      self.knowsCells = knowsCells
      self.tellsCells = tellsCells
    }
  }

  /// Asks; blocks for at most `patience` seconds. `address` is that of a bus; the default is the system bus.
  package static func taken(
    address: String? = nil, patience: Double = 3
  ) -> ModemSurvey {
    let connection: ModemLine
    do throws(BusConnection.Failure) {
      connection = try ModemLine(address ?? BusConnection.systemAddress)
    } catch {
      return .noBus(error.words)
    }
    var questions: [BusCall] = [.modems, .owner, .hello]
    let end = BlockingThread.now + patience
    while let question = questions.popLast() {
      guard connection.send(question) else { return .refused("out of memory") }
      switch answer(to: question, on: connection, until: end) {
      case .gone: return .noBus("it ended the connection")
      case .late: return .refused("no answer within \(Int(patience)) s")
      case .came(.modems(let records)):
        return .modems(
          records.map {
            Modem(
              title: $0.title, state: $0.state, knowsCells: $0.knowsCells,
              tellsCells: $0.location?.setup.tellsCells ?? false)
          })
      case .came(.refused(let name, let text)):
        return question == .owner ? .noModemManager : .refused(text.isEmpty ? name : text)
      case .came(.done), .came(.owner), .came(.location): continue
      }
    }
    return .refused("its answer is not understood")
  }

  private enum Outcome {
    case came(BusAnswer)
    case late
    case gone
  }

  private static func answer(
    to question: BusCall, on connection: ModemLine, until end: Double
  ) -> Outcome {
    while true {
      var entries = connection.awaited
      let left = end - BlockingThread.now
      guard left > 0 else { return .late }
      let count = poll(&entries, nfds_t(entries.count), Int32((left * 1_000).rounded(.up)))
      guard count > 0 || errno == EINTR else { return .late }
      guard let arrivals = connection.exchange(entries) else { return .gone }
      for case .answer(let answer, to: question) in arrivals { return .came(answer) }
    }
  }
}
