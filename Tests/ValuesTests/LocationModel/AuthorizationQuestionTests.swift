// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@Suite("What a question for authorization leads to, by era")
struct AuthorizationQuestionTests {
  /// Told and granted, as `told` or `told/granted`.
  private func after(
    _ held: Authorization, asking level: Authorization, _ answer: Authorization, _ era: Era
  ) -> String {
    let outcome = held.after(asking: level, answer: answer, in: era)
    return outcome.isOnTrial
      ? "\(outcome.told.rawValue)/\(outcome.granted.rawValue)" : outcome.told.rawValue
  }

  @Test(
    "Before there were two levels, whatever was asked for, a yes is always: when in use does not exist",
    arguments: [Era.ios4, .ios7])
  func oneLevel(era: Era) {
    for level in [Authorization.whenInUse, .always] {
      for answer in [Authorization.whenInUse, .always] {
        #expect(after(.notDetermined, asking: level, answer, era) == "always")
      }
      #expect(after(.notDetermined, asking: level, .denied, era) == "denied")
    }
  }

  @Test("Nobody gets more than was asked for", arguments: [Era.ios13, .today])
  func noMoreThanAsked(era: Era) {
    #expect(after(.notDetermined, asking: .whenInUse, .always, era) == "when_in_use")
    #expect(after(.notDetermined, asking: .always, .always, era) == "always")
  }

  @Test(
    "From iOS 13 on, always answered by when in use is always on trial",
    arguments: [Era.ios13, .today])
  func onTrial(era: Era) {
    #expect(after(.notDetermined, asking: .always, .whenInUse, era) == "always/when_in_use")
  }

  @Test(
    "From iOS 13 on, an app that holds when in use can ask for always, and keeps what it has at a no",
    arguments: [Era.ios13, .today])
  func upgrade(era: Era) {
    #expect(after(.whenInUse, asking: .always, .always, era) == "always")
    #expect(after(.whenInUse, asking: .always, .whenInUse, era) == "when_in_use")
    #expect(after(.whenInUse, asking: .always, .denied, era) == "when_in_use")
    var without = era
    without.upgradesToAlways = false
    #expect(after(.whenInUse, asking: .always, .always, without) == "when_in_use")
  }

  @Test("What was decided is not asked for again, in any era", arguments: Era.all)
  func decided(era: Era) {
    for held in [Authorization.denied, .restricted, .always] {
      #expect(!held.isQuestion(asking: .always, in: era))
      #expect(after(held, asking: .whenInUse, .always, era) == held.rawValue)
    }
    #expect(!Authorization.whenInUse.isQuestion(asking: .whenInUse, in: era))
  }

  @Test("A user who has not answered yet has decided nothing", arguments: Era.all)
  func unanswered(era: Era) {
    #expect(after(.notDetermined, asking: .always, .notDetermined, era) == "not_determined")
  }
}

@Suite("Eras")
struct EraTests {
  @Test(
    "From 1,000 m on an accuracy is the network's, from 100 m on one of sessions")
  func needs() {
    for best in [-2.0, -1, 0, 10, 99] { #expect(AccuracyNeed(best) == .receiver) }
    for middle in [100.0, 500, 999] { #expect(AccuracyNeed(middle) == .sessions) }
    for coarse in [1_000.0, 3_000, .greatestFiniteMagnitude] {
      #expect(AccuracyNeed(coarse) == .network)
    }
  }

  @Test("The era that counts where nobody says otherwise is today's")
  func usual() {
    #expect(Era.usual == .today)
    #expect(Era.all.contains(.usual))
  }
}
