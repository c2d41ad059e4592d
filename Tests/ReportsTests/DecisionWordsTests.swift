// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
import Testing

@testable import LocationEngine

@Suite("What is said of a receiver's plan, word for word")
struct DecisionWordsTests {
  private let until = EngineInstant.zero.advanced(bySeconds: 80)

  @Test("Each reason has a sentence for now and one for an earlier instant")
  func reasons() {
    let reasons: [ReceiverPlan.Off] = [
      .nobodyAsks, .nobodyRuns, .awaitsCellChange, .awaitsSession(until),
      .awaitsHint(until), .awaitsNetwork(until), .awaitsMotion, .paused, .awaitsInterval(until),
    ]
    #expect(
      reasons.map { $0.words(next: "in 4 min") } == [
        "nobody asks for locations", "the apps that asked do not run, and nothing wakes them",
        "another cell is awaited", "the next session is in 4 min",
        "the device rests; the next session is in 4 min, or when something moves",
        "the network is asked for a position; the next session is in 4 min", "motion is awaited",
        "updates are paused",
        "it is too soon after the last event; the next event may come in 4 min",
      ])
    #expect(
      reasons.map { $0.words(next: "at noon", .past) } == [
        "nobody asked for locations", "the apps that asked did not run, and nothing woke them",
        "another cell was awaited", "the next session was due at noon",
        "the device rested, and the next session was due at noon, or when something moved",
        "the network was asked for a position, and the next session was due at noon",
        "motion was awaited",
        "updates were paused",
        "it was too soon after the last event, and the next event might come at noon",
      ])
    #expect(
      ReceiverPlan.Off.awaitsSession(until).words(next: nil)
        == "the next session is awaited")
  }

  @Test("An accuracy that is asked for is named with its metres, or as reduced")
  func accuracies() {
    #expect(
      ReceiverPlan.Off.positionHolds(until: until, accuracy: 100).words(next: "in 50 s")
        == "the last position holds for an accuracy of 100 m; the next session is in 50 s")
    #expect(
      ReceiverPlan.Off.networkServes(accuracy: 1e9).words(next: nil)
        == "network positions serve reduced accuracy")
    #expect(
      ReceiverPlan.Off.networkMissing(until: until, accuracy: 1_000).words(next: "in 50 s")
        == "the network has no position for an accuracy of 1000 m, so the receiver looks in short "
        + "sessions; the next session is in 50 s")
  }

  @Test("How sure a rest is, is rounded down: it is never certain")
  func rest() {
    #expect(
      RestBelief(chance: 0.9799, since: .zero).words(since: "14:02")
        == "it is probably at rest (0.97) since 14:02")
    #expect(
      RestBelief(chance: 0.9999, since: .zero).words(since: "14:02", .past)
        == "it was probably at rest (0.99) since 14:02")
  }

  @Test("A belief in movement names the likelier way of moving, and its pace")
  func movement() {
    #expect(
      MovementBelief(chance: 0.9399, isRide: true, pace: 14.2).words()
        == "it is probably moving (0.93), sooner on a ride than on foot, at some 14 m/s")
    #expect(
      MovementBelief(chance: 0.5, isRide: false, pace: 1.26).words(.past)
        == "it was probably moving (0.50), sooner on foot than on a ride, at some 1.3 m/s")
  }

  @Test("What a look is worth is said with what makes it so")
  func worth() {
    func words(_ seconds: Double, _ terms: LatenessTerms, _ tense: Tense = .present) -> String {
      LookWorth(seconds: seconds, terms: terms).words(tense)
    }
    #expect(words(20, .usual) == "a look is taken where it is expected to save 20 s of lateness")
    #expect(
      words(2.25, LatenessTerms(isOnExternalPower: true), .past)
        == "on external power a look was taken where it was expected to save 2.3 s of lateness")
    #expect(
      words(62.2, LatenessTerms(longest: 30, price: 0.025))
        == "a look is taken where it is expected to save 62.2 s of lateness, at 25 mJ a second; once an event is "
        + "likelier than 1 in 20, a look comes within 30 s")
    #expect(
      words(20, LatenessTerms(longest: 7.5), .past)
        == "a look was taken where it was expected to save 20 s of lateness; once an event "
        + "was likelier than 1 in 20, a look came within 7.5 s"
    )
  }

  @Test("A plan says whether the receiver is on, and why it is off")
  func plans() {
    #expect(ReceiverPlan.continuous.words(next: nil) == "on")
    #expect(ReceiverPlan.session.words(next: nil) == "on for a session")
    #expect(ReceiverPlan.off(.paused).words(next: nil) == "off: updates are paused")
  }
}
