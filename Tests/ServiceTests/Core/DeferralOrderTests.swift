// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore
import Testing

@Suite("The end of a deferral")
struct DeferralOrderTests {
  private static let client = ClientID(7)

  /// The app's messages from now on: the number of each location, and `end`.
  private func told(_ effects: [ServiceEffect]) -> [String] {
    effects.compactMap { effect in
      guard case .send(let message, let client, _) = effect, client == Self.client else {
        return nil
      }
      switch message {
      case .location(let delivery, _): return String(delivery.sequence)
      case .deferralEnded(let end): return "end: \(end.rawValue)"
      default: return nil
      }
    }
  }

  /// A continuous app in the background whose 100 fixes, one a second, are deferred.
  private func kept() -> Stage {
    var stage = Stage.running(
      .location, in: .ios7, as: Self.client, saying: [.start(.init(.continuous))])
    stage.say(.control("walker", .background))
    stage.say(.deferUpdates(DeferralRequest(Deferral(timeout: 300))), as: Self.client)
    _ = stage.take()
    for second in 1...100 {
      stage.pass(1)
      stage.fix(east: Double(second))
    }
    return stage
  }

  //  DEFER ─ 100 fixes ─ DEFER off ─► 1 … 100, DEFERRED_END
  @Test("It comes behind all that was kept, which is sent at once, whatever is acknowledged")
  func order() {
    var stage = kept()
    #expect(told(stage.take()) == [])
    stage.say(.deferUpdates(DeferralRequest(nil)), as: Self.client)
    #expect(told(stage.take()) == (1...100).map { String($0) } + ["end: cancelled"])
    // Later ones wait again for room.
    stage.pass(1)
    stage.fix(east: 101)
    #expect(told(stage.take()) == [])
    stage.say(.acknowledge(94), as: Self.client)
    #expect(told(stage.take()) == ["101"])
  }

  @Test("With nothing before it, it comes at once, also to an app that may not know where it is")
  func atOnce() {
    var stage = Stage.running(.location, in: .today, as: Self.client)
    stage.say(.authorize("walker", .denied))
    _ = stage.take()
    stage.say(.deferUpdates(DeferralRequest(Deferral(timeout: 300))), as: Self.client)
    #expect(told(stage.take()) == ["end: unsupported"])
  }

  @Test("A connection that ends takes it along")
  func reconnection() {
    var stage = kept()
    stage.say(.deferUpdates(DeferralRequest(nil)), as: Self.client)
    _ = stage.take()
    stage.tell(.client(.disconnected(Self.client)))
    stage.connect(Self.client, pid: 30)
    stage.say(.hello(.init(app: "walker")), as: Self.client)
    stage.say(.acknowledge(64), as: Self.client)
    let all = told(stage.take())
    #expect(all.contains("100") && !all.contains { $0.hasPrefix("end") })
  }
}
