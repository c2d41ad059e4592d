// SPDX-License-Identifier: Apache-2.0

package import JSONText
import LocationEngine
import LocationModel
import RadioPower
package import Replay
import ServiceContract

/// `milepost replay --format jsonl`: one object per line with `seq`, `time`, `event` and `app`.
package struct ReplayJSONLines: Sendable {
  private var sequence = 0
  /// A pause and a motion event change no state; they are reported as events of the app in its state.
  private var states: [AppID: AppState] = [:]

  package init() {}

  /// Appends one event's line.
  package mutating func writeEvent(_ event: ReplayEvent, into bytes: inout [UInt8]) {
    switch event.kind {
    case .decided(let command): writeDecision(command, event, into: &bytes)
    case .callbacks(let app, let callbacks):
      line(event, app, callbacks).append(as: Self.callbacks, to: &bytes)
    case .radio(let activity): line(event, nil, activity).append(as: Self.radio, to: &bytes)
    case .gap(let start, let end, let cause):
      line(event, nil, (start: start, end: end, cause: cause)).append(as: Self.gap, to: &bytes)
    case .user(let what):
      line(event, nil, what.words).append(as: Self.user, to: &bytes)
    case .did(let words): line(event, Self.named, words).append(as: Self.did, to: &bytes)
    case .sent(let transfer): line(event, Self.named, transfer).append(as: Self.sent, to: &bytes)
    case .refused(let why): line(event, nil, why).append(as: Self.refused, to: &bytes)
    case .notPlayed(let act):
      line(event, nil, "\(act.when.words): \(act.what.words)")
        .append(as: Self.notPlayed, to: &bytes)
    }
  }

  private mutating func writeDecision(
    _ command: EngineCommand, _ event: ReplayEvent, into bytes: inout [UInt8]
  ) {
    switch command {
    case .deliver(let app, let delivery):
      line(event, app, delivery).append(as: Self.deliver, to: &bytes)
    case .transition(let app, let transition):
      states[app] = transition.to
      writeChange(
        (transition.from, transition.to, transition.reason.text), of: app, event, into: &bytes)
    case .paused(let app), .motion(let app), .deferralEnded(let app, _), .heading(let app, _):
      let state = states[app] ?? .notRunning
      writeChange((state, state, command.note ?? ""), of: app, event, into: &bytes)
    case .launch(let app, let options):
      line(event, app, options).append(as: Self.launch, to: &bytes)
    case .receiver(let plan):
      line(event, nil, (plan: plan, until: event.time(of: plan)))
        .append(as: Self.receiver, to: &bytes)
    case .verdict(let app, _, let verdict, let fixTime):
      line(event, app, (verdict: verdict, fixTime: fixTime))
        .append(as: Self.verdict, to: &bytes)
    case .work(let app, _, _), .notWoken(let app, _, _), .unreachable(let app, _),
      .tasksExpire(let app, _, _),
      .notify(let app, _, _), .audioStopped(let app, _), .memoryTaken(let app, _):
      guard let said = BackgroundNote(command) else { return }
      line(event, app, said).append(as: Self.background, to: &bytes)
    case .place(let app, let command): writePlace(command, of: app, event, into: &bytes)
    // No account has these.
    case .requestNetworkPosition, .requestFailed, .asksUser, .listen, .ignored: break
    }
  }

  private mutating func writeChange(
    _ change: Change, of app: AppID, _ event: ReplayEvent, into bytes: inout [UInt8]
  ) {
    line(event, app, change).append(as: Self.change, to: &bytes)
  }

  mutating func line<Part>(
    _ event: ReplayEvent, _ app: AppID?, _ part: Part
  ) -> Line<Part> {
    sequence += 1
    return Line(sequence: sequence, time: event.time, app: app, name: event.name, part: part)
  }

  /// The number of the next line.
  mutating func nextSequence() -> Int {
    sequence += 1
    return sequence
  }

  /// Appends the last line.
  package mutating func finish(totals: ReplayTotals, into bytes: inout [UInt8]) {
    for score in totals.regions { writeRegion(score, at: totals.time, into: &bytes) }
    if let score = totals.visits { writeVisits(score, at: totals.time, into: &bytes) }
    if let wakes = totals.sharedWakes { writeWakes(wakes, at: totals.time, into: &bytes) }
    sequence += 1
    let figures = ModeFigures(totals.row, judged: totals.judged)
    Line(sequence: sequence, time: totals.time, part: figures).append(as: Self.end, to: &bytes)
  }

  /// Appends the last line of a recording.
  package mutating func finish(recording: DecidedRecording, into bytes: inout [UInt8]) {
    sequence += 1
    Line(sequence: sequence, time: recording.time, part: recording)
      .append(as: Self.decided, to: &bytes)
  }

  // MARK: Lines

  package static let schema = JSONSchema(
    "milepost.replay-event/1", "One line of milepost replay --format jsonl.",
    .oneOf([
      deliver.shape, change.shape, callbacks.shape, launch.shape, radio.shape, verdict.shape,
      gap.shape, end.shape, receiver.shape, decided.shape, background.shape, user.shape, did.shape,
      sent.shape, refused.shape, notPlayed.shape, place.shape, regionVerdict.shape,
      regionScore.shape, visitScore.shape, sharedWakes.shape, android.shape, androidPhone.shape,
      androidApp.shape, androidEnd.shape,
    ]))

  /// Stands for an app that the event names.
  static let named = AppID(1)

  struct Line<Part: Sendable> {
    let sequence: Int
    let time: UTCInstant
    var app: AppID?
    var name: String?
    let part: Part

    func append(as table: JSONTable<Self>, to bytes: inout [UInt8]) {
      bytes += table.document(self)
      bytes.append(0x0A)
    }
  }

  /// An app's change of state; a message to an app in its state has it twice.
  private typealias Change = (from: AppState, to: AppState, reason: String)
  private typealias Planned = (plan: ReceiverPlan, until: UTCInstant?)
  private typealias Judged = (verdict: Verdict, fixTime: UTCInstant?)
  typealias Gap = (start: UTCInstant, end: UTCInstant, cause: String)

  /// A line about an app, or with `isOfApp` false about the device.
  static func line<Part>(
    _ event: String, isOfApp: Bool = true, _ fill: (inout JSONTable<Part>) -> Void
  ) -> JSONTable<Line<Part>> {
    JSONTable { line in
      line.value("seq", .whole(in: 1...Int64(Int32.max)), about: "Counts from 1.") { $0.sequence }
      line.value("time", \.time)
      line.constant("event", .string(event))
      if isOfApp {
        line.value("app", .app, about: "Its name in a recording, 1 in a trace.") {
          ($0.app?.number ?? 0, $0.name)
        }
      } else {
        line.constant("app", .null)
      }
      line.include(JSONTable(fill), \.part)
    }
  }

  private static let deliver = line("deliver") { (delivery: inout JSONTable<Delivery>) in
    delivery.value("mode", \.service)
    delivery.place(\.fix.coordinate)
    delivery.number("accuracy_m", decimals: 1, \.fix.horizontalAccuracy)
    delivery.value("fix_time", \.fix.time)
    delivery.value("cached", \.isCached)
    delivery.number("moved_m", decimals: 1, about: "From the anchor of this service.", \.moved)
    delivery.number("since_s", decimals: 3, about: "Since the anchor's delivery.", \.since)
  }

  private static let change = line("app") { (change: inout JSONTable<Change>) in
    change.value("from", \.from)
    change.value("to", \.to)
    change.value("reason", \.reason)
  }

  private static let callbacks = line("callbacks") { (told: inout JSONTable<[AppCallback]>) in
    told.value(
      "callbacks",
      about:
        "What the app is told of its own life at the transition before, in order; a launch option in "
        + "brackets."
    ) { $0.map(\.text) }
  }

  private static let launch = line("launch") { (launch: inout JSONTable<LaunchOptions>) in
    launch.value("reason", \.reason)
    launch.object("options", about: "Launch options by key.", \.reason) { options in
      for reason in WakeReason.allCases {
        options.optionalValue(
          reason.rawValue, JSONForm(.constant(true)) { $1.bool($0) }
        ) { $0 == reason ? true : nil }
      }
    }
  }

  private static let background = line("background") {
    (said: inout JSONTable<BackgroundNote>) in
    said.value("what", .words(BackgroundNote.Kind.allCases.map(\.rawValue)), \.kind.rawValue)
    said.value(
      "reason", about: "What it was called, or would have been woken, by; null for all else.",
      \.reason)
    said.value("text", \.text)
  }

  private static let radio = line("radio", isOfApp: false) {
    (radio: inout JSONTable<Activity.Event>) in
    radio.value(
      "component", .words(["gnss", "cell", "wifi", "soc", "sensor", "device", "flash", "meter"]),
      { $0.words.component })
    radio.value("state", \.words.state)
  }

  private static let receiver = line("receiver", isOfApp: false) {
    (planned: inout JSONTable<Planned>) in
    planned.value("plan", .words(["off", "session", "continuous"]), { $0.plan.name })
    planned.value("reason", about: "Null where it is on.") {
      if case .off(let off) = $0.plan { off.name } else { nil as String? }
    }
    planned.value("until", \.until)
  }

  private static let verdict = line("verdict") { (judged: inout JSONTable<Judged>) in
    judged.value("fix_time", \.fixTime)
    judged.value("verdict", \.verdict.outcome)
    judged.number("moved_m", decimals: 1, \.verdict.moved)
    judged.number("since_s", decimals: 3, \.verdict.since)
    judged.number("accuracy_m", decimals: 1, \.verdict.accuracy)
  }

  static let gap = line("gap", isOfApp: false) { (gap: inout JSONTable<Gap>) in
    gap.value("start", \.start)
    gap.value("end", \.end)
    gap.value("cause", \.cause)
  }

  static let user = line("user", isOfApp: false) { (words: inout JSONTable<String>) in
    words.value("what", about: "What user, system or world do, of a scenario.", \.self)
  }

  private static let did = line("did") { (words: inout JSONTable<String>) in
    words.value("what", about: "What the app does by itself, of a scenario.", \.self)
  }

  private static let refused = line("refused", isOfApp: false) {
    (words: inout JSONTable<String>) in
    words.value("reason", about: "Why what the user did before could not be done.", \.self)
  }

  static let notPlayed = line("not_played", isOfApp: false) {
    (words: inout JSONTable<String>) in
    words.value("what", about: "A line of a scenario whose moment has not come.", \.self)
  }

  private static let end = line("end", isOfApp: false) { (end: inout JSONTable<ModeFigures>) in
    end.columns(CompareColumns.all, in: .summary)
  }

  private static let decided = line("decided", isOfApp: false) {
    (recording: inout JSONTable<DecidedRecording>) in
    recording.include(DecidedRecording.table, \.self)
  }
}

extension JSONForm where Value == (number: UInt32, name: String?) {
  /// The name of an app if it has one, else its number.
  fileprivate static var app: Self {
    JSONForm(.oneOf([.whole(1...Int64(UInt32.max)), .text])) { app, json in
      if let name = app.name { json.string(name) } else { json.integer(Int(app.number)) }
    }
  }
}
