// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import JSONText
import LocationEngine
import LocationModel
import ServiceContract
import ServiceSimulation
import Testing

@testable import ServiceCore

extension PrivacyTests {
  @Test("The user's word makes it reduced at once, over restarts and new manifests")
  func authorized() throws {
    var bench = try Self.bench(nil)
    _ = Self.passed(&bench, at: 0)
    bench.user(.authorize("s", .always, .reduced))
    let fix = try #require(Self.passed(&bench, at: 20, after: 1_000).first?.fix)
    #expect(fix.horizontalAccuracy == 5_000)
    let row = try #require(bench.user(.apps).documents.first)
    #expect(row.contains("\"accuracy\":\"reduced\""))
    // Its file does not mention it, and is read again.
    bench.tell(
      .manifest(
        bench.newClient(), .read(Self.sink(), missingProgram: nil), id: nil, isUpdate: true))
    var next = try bench.restarted()
    next.tell(.began(adopted: []))
    let after = next.user(.apps).documents.first
    #expect(after?.contains("\"accuracy\":\"reduced\"") == true)
    next.wait(1_000)
    let later = Self.passed(&next, at: 60)
    #expect(later.last?.fix.horizontalAccuracy == 5_000)
  }

  /// Three events at kilometres 0, 0.6 and 20, the last given up, the others waiting, before the user's word.
  private static func threeWait() throws -> ServiceBench {
    var bench = try Self.bench(nil)
    for kilometre in [0.0, 0.6, 20] {
      bench.wait(1_000)
      _ = bench.move(toKilometre: kilometre)
      bench.tell(
        .sink(.failed(Self.app, upTo: bench.lastPassed.last ?? 0, reason: "full", fault: .refused)))
    }
    #expect(bench.store.pending(of: Self.app).map(\.delivery.sequence) == [1, 2, 3])
    return bench
  }

  /// The places of everything that goes out from now on.
  private static func sent(_ bench: inout ServiceBench) -> [Fix] {
    bench.user(.control("s", .release)).batches.flatMap(\.deliveries).map(\.delivery.fix)
  }

  /// The other side cannot use the first one of the batch on its way.
  private static func refuse(_ bench: inout ServiceBench) {
    let last = bench.lastPassed.last ?? 0
    bench.tell(.sink(.failed(app, upTo: last, reason: "bad", fault: .badMessage)))
  }

  private static func deadFixes(_ bench: ServiceBench) -> [Fix] {
    bench.store.dead(of: app).map(\.pending.delivery.fix)
  }

  @Test("What waits is reduced with the permission: each square once, without speed, and stored so")
  func waitingIsReduced() throws {
    var bench = try Self.threeWait()
    bench.user(.authorize("s", .always, .reduced))
    #expect(bench.store.pending(of: Self.app).map(\.delivery.sequence) == [1, 3])
    let rows = bench.store.pending(of: Self.app)
    #expect(rows.allSatisfy { $0.delivery.fix.horizontalAccuracy == 5_000 })
    #expect(rows.allSatisfy { $0.delivery.moved == nil })
    let fixes = Self.sent(&bench)
    #expect(fixes == rows.map(\.delivery.fix))
    #expect(fixes.first?.coordinate != fixes.last?.coordinate)
    // The next one goes on from the last square.
    bench.tell(.sink(.took(Self.app, upTo: 3)))
    let next = Self.passed(&bench, at: 20.1, after: 1_000)
    #expect(next.allSatisfy { $0.fix.coordinate == fixes.last?.coordinate })
  }

  @Test("What is on its way, and what was given up, is reduced too")
  func allIsReduced() throws {
    var bench = try Self.threeWait()
    #expect(Self.sent(&bench).count == 3)
    let effects = bench.user(.authorize("s", .always, .reduced))
    #expect(effects.contains(.sink(.recall(Self.app))))
    for _ in 0..<3 {
      #expect(bench.store.pending(of: Self.app).map(\.delivery.sequence) == [1, 3])
      Self.refuse(&bench)
      #expect(Self.sent(&bench).allSatisfy { $0.horizontalAccuracy == 5_000 })
    }
    #expect(bench.lastPassed == [3])
    #expect(Self.deadFixes(bench).map(\.horizontalAccuracy) == [5_000])

    var dead = try Self.threeWait()
    for _ in 0..<9 {
      _ = Self.sent(&dead)
      Self.refuse(&dead)
    }
    #expect(dead.store.dead(of: Self.app).count == 3)
    dead.user(.authorize("s", .always, .reduced))
    #expect(Self.deadFixes(dead).allSatisfy { $0.horizontalAccuracy == 5_000 })
    let again = dead.user(.resend("s", nil)).batches.flatMap(\.deliveries)
    #expect(!again.isEmpty)
    #expect(again.allSatisfy { $0.delivery.fix.horizontalAccuracy == 5_000 })
  }

  @Test("So it is where its manifest says so")
  func reducedByManifest() throws {
    var bench = try Self.threeWait()
    bench.tell(
      .manifest(
        bench.newClient(), .read(Self.sink(.reduced), missingProgram: nil), id: nil, isUpdate: true)
    )
    let rows = bench.store.pending(of: Self.app)
    #expect(rows.map(\.delivery.sequence) == [1, 3])
    #expect(rows.allSatisfy { $0.delivery.fix.horizontalAccuracy == 5_000 })
  }
}
