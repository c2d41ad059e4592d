// SPDX-License-Identifier: Apache-2.0

import DaemonRuntime
import RadioPower
import Replay
import Reports
import Synchronization

/// Shows a live track: as a screen, as lines, or as JSON lines.
final class TrackView: Sendable {
  enum Form: Sendable {
    case screen
    case lines(isVerbose: Bool)
    case json
  }

  private let form: Form
  private struct Drawn {
    var lines = ReplayJSONLines()
    var remarks: [String] = []
    var height = 0
    var last: ContinuousClock.Instant?
  }
  private let drawn = Mutex(Drawn())

  /// Remarks that a screen shows below its state.
  private static let remarkLimit = 4

  init(_ form: Form) { self.form = form }

  func show(_ output: Tracker.Output) {
    switch (form, output) {
    case (.screen, .state(let state)): draw(state, isForced: false)
    case (.screen, .remark(let text)):
      drawn.withLock { $0.remarks = ($0.remarks + [text]).suffix(Self.remarkLimit) }
    case (.lines(let isVerbose), .event(let event)):
      guard isVerbose || event.kind.isDelivery else { return }
      Terminal.out(ReplayText.line(event) + "\n")
    case (.json, .event(let event)):
      let bytes = drawn.withLock { drawn in
        var bytes: [UInt8] = []
        drawn.lines.write(event, into: &bytes)
        return bytes
      }
      Terminal.out(bytes)
    case (.lines, .remark(let text)), (.json, .remark(let text)):
      Terminal.error("milepost: \(text)\n")
    case (.screen, .event), (.lines, .state), (.json, .state): break
    }
  }

  /// The last state, and the summary.
  func finish(_ state: TrackState) {
    if case .screen = form { draw(state, isForced: true) }
    let energy = state.energy
    Terminal.error(
      "milepost: \(Figures.count(state.deliveries, "delivery", "deliveries")) of "
        + "\(Figures.count(state.fixes, "fix", "fixes")); \(Figures.energy(energy.nominal)) "
        + "(\(Figures.energyRange(energy.low, energy.high, around: energy.nominal))) above the "
        + "baseline, modelled for \(state.profile)\n")
  }

  /// Draws over what was drawn before, at most four times a second.
  private func draw(_ state: TrackState, isForced: Bool) {
    drawn.withLock { drawn in
      let now = ContinuousClock.now
      if let last = drawn.last, now - last < .milliseconds(250), !isForced { return }
      drawn.last = now
      let width = Terminal.width
      let lines =
        TrackScreen.lines(state, width: width) + [""]
        + drawn.remarks.map { String($0.prefix(width)) }
      let up = drawn.height > 0 ? "\u{1B}[\(drawn.height)A" : ""
      let text = lines.map { "\r\($0)\u{1B}[K\n" }.joined()
      Terminal.out(up + text + "\u{1B}[J")
      drawn.height = lines.count
    }
  }
}

extension ReplayEvent.Kind {
  fileprivate var isDelivery: Bool {
    if case .deliver = self { true } else { false }
  }
}
