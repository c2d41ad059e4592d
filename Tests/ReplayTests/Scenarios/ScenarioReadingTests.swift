// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import ServiceContract
import SettingsFiles
import Testing

@testable import Replay

/// Reads a scenario as the program does: YAML, and the lines of its faults.
func read(_ yaml: String) throws -> Scenario {
  let document = try SettingsFile.document(Array(yaml.utf8), name: "trip.yaml")
  do throws(SettingsError) {
    return try Scenario(document.value, file: "trip.yaml")
  } catch {
    throw error.located(by: document.lines)
  }
}

/// The faults of a scenario, in words; empty if there are none.
func problems(_ yaml: String) throws -> String {
  do {
    _ = try read(yaml)
    return ""
  } catch let error as SettingsError {
    return error.message
  }
}

@Suite("A scenario file is read")
struct ScenarioReadingTests {
  @Test("Everything that the page shows is understood")
  func whole() throws {
    let scenario = try read(
      """
      scenario: a social app
      era: ios7
      places:
        home: {lat: 48.1, lon: 11.5, radius: 300 m}
      apps:
        - name: social
          modes: [location]
          authorization: when_in_use
          memory_mb: 120
          on launch: [start significant, start standard accuracy 100 m filter 1.5 km pausing]
          on location: [begin task upload, work 5 s, upload 20 kB, end task upload]
          on fetch: answer new_data
        - name: mail
      then:
        - {at: 0 s, do: open social}
        - {at: 1 h 30 min, do: [home, lock]}
        - {at: +10 min, do: unlock}
        - {at: 2024-05-01T08:00:00Z, do: push to mail}
        - {on leaving: home, do: open social}
        - {on reaching: {lat: -10, lon: 20, radius: 2 km}, do: force quit social}
      """)
    let home = Place(
      name: "home", centre: try #require(Coordinate(latitude: 48.1, longitude: 11.5)), radius: 300)
    let far = Place(
      name: "the circle", centre: try #require(Coordinate(latitude: -10, longitude: 20)),
      radius: 2_000)
    var request = StandardRequest()
    request.desiredAccuracy = 100
    request.distanceFilter = 1_500
    request.pausesAutomatically = true
    #expect(scenario.title == "a social app")
    #expect(scenario.era == .ios7)
    #expect(scenario.apps.map(\.name) == ["social", "mail"])
    let social = scenario.apps[0]
    #expect(social.declaration.declaresLocationMode)
    #expect(social.declaration.authorization == .whenInUse)
    #expect((social.memory, scenario.apps[1].memory) == (120, 100))
    #expect(social.steps(on: .launch) == [.startSignificant, .startUpdates(request)])
    #expect(
      social.steps(on: .location) == [
        .beginTask("upload"), .work(5), .transfer(up: 20_000, down: 0), .endTask("upload"),
      ])
    #expect(social.steps(on: .fetch) == [.answer(.newData)])
    // 2024-05-01T08:00:00Z is 1714550400 (GNU date).
    #expect(
      scenario.acts == [
        UserAct(.open("social"), .elapsed(0)), UserAct(.home, .elapsed(5_400)),
        UserAct(.lock, .later(0)), UserAct(.device(.unlocked), .later(600)),
        UserAct(.event("mail", .push), .utc(UTCInstant(microseconds: 1_714_550_400_000_000))),
        UserAct(.open("social"), .leaving(home)),
        UserAct(.forceQuit("social"), .reaching(far)),
      ])
  }

  @Test("Rules of an era are overridden one by one, from the usual one where no base is named")
  func era() throws {
    let scenario = try read(
      """
      era: {base: ios4, relaunches_after_force_quit: false, standard_while_suspended: queued}
      apps: [{name: a}]
      """)
    var expected = Era.ios4
    expected.relaunchesAfterForceQuit = false
    expected.standardWhileSuspended = .queued
    #expect(scenario.era == expected)
    #expect(
      scenario.era?.title
        == "ios4 with standard_while_suspended = queued, relaunches_after_force_quit = false")
    let plain = try read("era: {asks_at_start: true}\napps: [{name: a}]")
    #expect(plain.era?.knowsWhenInUse == true)
    #expect(plain.era?.asksAtStart == true)
    let idle = try read("era: {idle_wake_s: 900}\napps: [{name: a}]")
    #expect(idle.era?.idleWake == 900)
    #expect(try read("era: {idle_wake_s: 0}\napps: [{name: a}]").era == .today)
  }

  @Test(
    "What is wrong is told with its line, its key, the value and what is allowed",
    arguments: [
      (
        "apps: [{name: a}]\nthen:\n  - at: 60\n    do: home",
        "trip.yaml:3: then[0].at: 60 has no unit; write 60 s (from the trace's begin), +10 min (after "
          + "the line before) or 2024-05-01T08:00:00Z"
      ),
      (
        "apps: [{name: a}]\nthen:\n  - at: noon\n    do: home",
        "trip.yaml:3: then[0].at: 'noon' is not a time of at most ten years; write 60 s (from the trace's begin), +10 min "
          + "(after the line before) or 2024-05-01T08:00:00Z"
      ),
      (
        "apps:\n  - name: a\n    on launch:\n      - start significant\n      - wrok 5 s",
        "trip.yaml:5: apps[0].on launch[1]: 'wrok 5 s' is nothing that an app does; did you mean 'work "
          + "<time>'?"
      ),
      (
        "apps:\n  - name: a\n    on launch: [work 5]",
        "trip.yaml:3: apps[0].on launch[0]: 'work 5' does not go on as 'work <time>' does: '5' is not "
          + "a number of s, min, h or d, as in 10 s"
      ),
      (
        "apps:\n  - name: a\n    on launch: [begin task]",
        "trip.yaml:3: apps[0].on launch[0]: 'begin task' does not go on as 'begin task <task>' does: "
          + "nothing stands for <task>, a name"
      ),
      (
        "apps:\n  - name: social\nthen:\n  - at: 1 s\n    do: open socail",
        "trip.yaml:5: then[0].do: 'open socail' does not go on as 'open <app>' does: 'socail' is not "
          + "one of social; did you mean 'social'?"
      ),
      (
        "apps:\n  - name: a\n    on launch: start signifcant",
        "trip.yaml:3: apps[0].on launch: 'start signifcant' is nothing that an app does; did you mean 'start "
          + "significant'?"
      ),
      (
        "apps:\n  - name: a\n    on launch: start engines",
        "trip.yaml:3: apps[0].on launch: 'start engines' is nothing that an app does; it can go on as in 'start standard "
          + "[accuracy <accuracy>] [filter <filter>] [pausing]', 'start significant'"
      ),
      (
        "apps:\n  - name: a\n    on launch: upload 20 KB",
        "trip.yaml:3: apps[0].on launch: 'upload 20 KB' does not go on as 'upload <data>' does: '20 KB' is not a number of "
          + "kB, B or MB, as in 10 kB; did you mean '20 kB'?"
      ),
      (
        "places:\n  home: {lat: 91, lon: 11.5, radius: 300 m}\napps:\n  - name: a\n    on launch: monitor region hom",
        "trip.yaml:2: places.home.lat: 91 is not a number of degrees north from -90 to 90\n"
          + "trip.yaml:5: apps[0].on launch: 'monitor region hom' does not go on as 'monitor region <place>' does: 'hom' is "
          + "not one of home; did you mean 'home'?"
      ),
      (
        "apps:\n  - name: a\n    on launch: start standard accuracy good",
        "trip.yaml:3: apps[0].on launch: 'start standard accuracy good' does not go on as 'start standard [accuracy "
          + "<accuracy>] [filter <filter>] [pausing]' does: 'good' is not best, or a number of m or km, as in 10 m"
      ),
      (
        "apps:\n  - name: a\n    on luanch: [crash]",
        "trip.yaml:3: apps[0].on luanch: no such key; did you mean 'on launch'?"
      ),
      (
        "apps:\n  - name: a\n    modes: [locaton]",
        "trip.yaml:3: apps[0].modes[0]: 'locaton' is not one of audio, location, voip, fetch, remote-notification, newsstand-content, external-accessory, bluetooth-central, bluetooth-peripheral, location-push; did you mean 'location'?"
      ),
      (
        "places:\n  home: {lat: 91, lon: 11.5, radius: 300}\napps: [{name: a}]",
        "trip.yaml:2: places.home.lat: 91 is not a number of degrees north from -90 to 90\n"
          + "trip.yaml:2: places.home.radius: 300 is not a number of m or km, as in 10 m, from 1 to "
          + "1000000 m"
      ),
      (
        "apps: [{name: a}]\nthen:\n  - on leaving: home\n    do: home",
        "trip.yaml:3: then[0].on leaving: 'home' is no place; write {lat: 48.1, lon: 11.5, radius: 300 "
          + "m}, or name one under places"
      ),
      (
        "apps: [{name: a}]\nthen:\n  - do: home",
        "trip.yaml:3: then[0].at: missing; say at: 60 s, at: +10 min, at: 2024-05-01T08:00:00Z, on leaving: "
          + "PLACE or on reaching: PLACE"
      ),
      (
        "apps: [{name: a}]\nthen:\n  - at: 60 s\n    do: home\n  - at: 30 s\n    do: lock",
        "trip.yaml:5: then[1].at: 30 s stands behind a line that comes later; put the lines in their order"
      ),
      (
        "scenario: x",
        "trip.yaml:1: apps: missing; say at least one, as in apps: [{name: walker}]"
      ),
      (
        "apps:\n  - name: a\n  - name: a",
        "trip.yaml:3: apps[1].name: there is an app 'a' already"
      ),
      (
        "era: ios5\napps: [{name: a}]",
        "trip.yaml:1: era: 'ios5' is not one of ios4, ios7, ios13, today; did you mean 'ios4'?"
      ),
      (
        "apps: [{name: a}]\nthen:\n  - at: 1 s\n    do: home sweet home",
        "trip.yaml:4: then[0].do: 'home sweet home' does not go on as 'home' does: 'sweet home' is too "
          + "much"
      ),
    ])
  func wrong(yaml: String, message: String) throws {
    #expect(try problems(yaml) == message)
  }

  @Test("The best accuracy has a word, and a handler may do nothing")
  func words() throws {
    let scenario = try read(
      "apps: [{name: a, on launch: [start standard accuracy best filter 10 m, nothing]}]")
    var request = StandardRequest()
    request.distanceFilter = 10
    #expect(request.desiredAccuracy == -1, "Core Location's best")
    #expect(scenario.apps[0].steps(on: .launch) == [.startUpdates(request), .nothing])
    let once = try read("apps: [{name: a, on launch: request location accuracy best}]")
    #expect(once.apps[0].steps(on: .launch) == [.requestLocation(accuracy: -1)])
  }

  @Test("A sentence that nobody can guess is answered with all that there are")
  func unknown() throws {
    let told = try problems("apps: [{name: a}]\nthen: [{at: 1 s, do: dance}]")
    #expect(
      told.hasPrefix(
        "trip.yaml:2: then[0].do: 'dance' is nothing that a user does; a user can: open <app>; home; "
      ))
    for phrase in Happening.phrases { #expect(told.contains(phrase.pattern)) }
  }

  @Test("Each form of sentence means something of its own")
  func forms() throws {
    let vocabulary = Vocabulary(apps: ["app"], places: [Place.nowhere.named("place")])
    let steps = try AppStep.phrases.map {
      try Phrase.read(
        sentence: Self.example($0.pattern), among: AppStep.phrases, vocabulary, subject: "an app")
    }
    #expect(Set(steps.map(\.words)).count == AppStep.phrases.count)
    let acts = try Happening.phrases.map {
      try Phrase.read(
        sentence: Self.example($0.pattern), among: Happening.phrases, vocabulary, subject: "a user")
    }
    #expect(Set(acts.map(\.words)).count == Happening.phrases.count)
  }

  /// A sentence of a form: the names of its slots stand for names; brackets are kept.
  private static func example(_ pattern: String) -> String {
    let values = [
      "<time>": "7 min", "<interval>": "20 min", "<accuracy>": "10 m", "<filter>": "20 m",
      "<data>": "3 kB", "<memory>": "80 MB", "<status>": "3", "<updates>": "standard",
      "<level>": "denied", "<wish>": "always", "<result>": "no_data",
      "<angle>": "5 degrees", "<distance>": "500 m", "<unit>": "day", "<offset>": "+02:00",
      "<count>": "3", "<exactness>": "reduced",
    ]
    let words = pattern.split(separator: " ").map { word in
      let bare = word.drop { $0 == "[" }.prefix { $0 != "]" }
      return values[String(bare)] ?? String(bare.drop { $0 == "<" }.prefix { $0 != ">" })
    }
    return words.joined(separator: " ")
  }

  @Test("Each rule of an era has a key, and copying all of them makes one era the other")
  func rules() {
    let fields = Mirror(reflecting: Era.usual).children.compactMap(\.label)
    #expect(Set(EraRule.all.map(\.field)) == Set(fields).subtracting(["name"]))
    #expect(Set(EraRule.all.map(\.key)).count == EraRule.all.count)
    for other in Era.all {
      var era = Era.ios4
      for rule in EraRule.all { #expect(rule.set(rule.value(in: other), in: &era)) }
      era.name = other.name
      #expect(era == other)
    }
  }
}

extension Place {
  fileprivate func named(_ name: String) -> Place {
    Place(name: name, centre: centre, radius: radius)
  }
}
