// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("Whether the policy counts on a modem")
struct CellWatchTests {
  /// An input of a watch.
  private enum Step {
    case cell
    case trouble
    case noBus
  }

  /// Its answers, step by step: whether the policy may count on something else now.
  private static func answers(_ watch: inout CellWatch, _ steps: [Step]) -> [Bool] {
    steps.map { step in
      switch step {
      case .cell: watch.sawCell()
      case .trouble: watch.lost(hasBus: true)
      case .noBus: watch.lost(hasBus: false)
      }
    }
  }

  @Test("Until a cell comes the source is listened to; from then on the engine decides")
  func begins() {
    var watch = CellWatch(isTold: false)
    #expect(watch.listens(engineWants: false) && watch.listens(engineWants: true))
    #expect(Self.answers(&watch, [.cell, .cell]) == [true, false])
    #expect(!watch.listens(engineWants: false) && watch.listens(engineWants: true))
  }

  @Test("A machine without a bus is given up; one without a modem is listened to")
  func absent() {
    var watch = CellWatch(isTold: false)
    #expect(Self.answers(&watch, [.trouble]) == [false])
    #expect(watch.listens(engineWants: false))
    #expect(Self.answers(&watch, [.noBus, .cell]) == [false, false])
    #expect(!watch.listens(engineWants: true))
  }

  @Test("A modem that goes three times is not counted on any more; a bus that goes is waited for")
  func losses() {
    var watch = CellWatch(isTold: true)
    #expect(Self.answers(&watch, [.noBus, .noBus]) == [true, false])
    #expect(watch.listens(engineWants: false))
    #expect(Self.answers(&watch, [.cell, .trouble]) == [true, true])
    #expect(!watch.isGivenUp)
    #expect(Self.answers(&watch, [.cell, .trouble, .cell]) == [true, true, false])
    #expect(watch.isGivenUp && !watch.listens(engineWants: true))
  }

  @Test("Cells are counted on by the policy milepost only, and where the configuration wants them")
  func senses() throws {
    var configuration = DaemonConfiguration()
    #expect(configuration.wantsModem)
    let alone = try configuration.decisions()
    let hinted = try configuration.decisions(senses: .cells)
    var engine = LocationEngine(rules: alone.rules, policy: alone.policy)
    #expect(engine.senses == [])
    var commands: [EngineCommand] = []
    let app = AppID(1)
    var declaration = AppDeclaration()
    declaration.authorization = .always
    engine.handle(.app(app, .registered(declaration)), at: .zero, into: &commands)
    engine.handle(.app(app, .life(.launched)), at: .zero, into: &commands)
    engine.handle(.app(app, .startMonitoringSignificantChanges), at: .zero, into: &commands)
    engine.reconfigure(
      rules: hinted.rules, policy: hinted.policy, at: .zero, into: &commands)
    #expect(engine.senses == .cells)
    configuration.modem = .off
    #expect(!configuration.wantsModem)
    configuration.modem = .automatic
    configuration.policy = "periodic"
    #expect(!configuration.wantsModem)
    let periodic = try configuration.decisions(senses: .cells)
    #expect(LocationEngine(rules: periodic.rules, policy: periodic.policy).senses == [])
  }
}
