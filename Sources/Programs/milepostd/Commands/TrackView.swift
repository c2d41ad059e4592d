// SPDX-License-Identifier: Apache-2.0

import DaemonRuntime
import Host
import RadioPower
import Replay
import Reports
import ServiceContract
import Synchronization

// Theory
// ======
//
// The screen is that of TerminalScreen.swift. It is drawn at most four times a second. At the end the last frame is
// printed on the ordinary screen, whole, with the cursor below it.

/// Shows a live track: as a screen, as lines, as JSON lines, or (if standard output carries the trace) as remarks only.
final class TrackView: Sendable {
  enum Form: Sendable, Equatable {
    case screen
    case lines(isVerbose: Bool)
    case json
    case silent
  }

  private let form: Form
  private let tellsWhy: Bool
  private struct Drawn {
    var lines = ReplayJSONLines()
    var remarks: [String] = []
    var isOnScreen = false
    var last: ContinuousClock.Instant?
    /// The first error of a write.
    var fault: Int32?
  }
  private let drawn = Mutex(Drawn())

  /// Remarks that a screen shows below its state.
  private static let remarkLimit = 4

  init(_ form: Form, why: Bool) {
    self.form = form
    tellsWhy = why
  }

  /// The error number of the first write that failed; `nil` if none did.
  var fault: Int32? { drawn.withLock { $0.fault } }

  /// Returns `false` if there is no reader any more, or nothing can be written.
  func show(_ output: Tracker.Output) -> Bool {
    switch (form, output) {
    case (.screen, .state(let state)): return draw(state)
    case (.screen, .remark(let text)):
      drawn.withLock { $0.remarks = ($0.remarks + [text]).suffix(Self.remarkLimit) }
      return true
    case (.lines(let isVerbose), .event(let event)):
      guard event.kind.isShown(verbose: isVerbose, why: tellsWhy) else { return true }
      return printBytes(Array((ReplayText.line(event: event) + "\n").utf8))
    case (.json, .event(let event)):
      guard event.kind.isShown(verbose: true, why: tellsWhy) else { return true }
      let bytes = drawn.withLock { drawn in
        var bytes: [UInt8] = []
        drawn.lines.writeEvent(event, into: &bytes)
        return bytes
      }
      return printBytes(bytes)
    case (.lines, .remark(let text)), (.json, .remark(let text)), (.silent, .remark(let text)),
      (.lines(isVerbose: true), .detail(let text)):
      Terminal.error("milepost: \(text)\n")
      return true
    case (.screen, .event), (.silent, .event), (_, .detail), (_, .state): return true
    }
  }

  private func printBytes(_ bytes: [UInt8]) -> Bool {
    let outcome = Terminal.out(bytes)
    if case .failed(let code) = outcome { drawn.withLock { $0.fault = $0.fault ?? code } }
    return outcome == .written
  }

  /// The last state, and the summary.
  func finish(state: TrackState) {
    if form == .screen { leave(state) }
    let energy = state.energy
    Terminal.error(
      "milepost: \(Figures.count(state.deliveries, "delivery", "deliveries")) of "
        + "\(Figures.count(state.fixes, "fix", "fixes")); "
        + "\(Figures.energy(energy.nominal, from: energy.low, to: energy.high)) above the baseline in \(Figures.span(state.metered)), modelled for \(state.profile)\n"
    )
  }

  /// Returns `false` if the terminal is gone.
  private func draw(_ state: TrackState) -> Bool {
    drawn.withLock { drawn in
      let now = ContinuousClock.now
      if let last = drawn.last, now - last < .milliseconds(250) { return true }
      drawn.last = now
      let (width, height) = TerminalScreen.size
      let lines = TrackScreen.lines(
        state, remarks: drawn.remarks, width: width, height: height)
      let enter = drawn.isOnScreen ? "" : TerminalFrame.enter
      drawn.isOnScreen = true
      return Terminal.out(enter + TerminalFrame.text(lines, width: width, height: height))
        == .written
    }
  }

  /// Leaves the screen, printing the last frame.
  private func leave(_ state: TrackState) {
    drawn.withLock { drawn in
      let leave = drawn.isOnScreen ? TerminalFrame.leave : ""
      drawn.isOnScreen = false
      let lines = TrackScreen.lines(state, remarks: drawn.remarks, width: TerminalScreen.size.width)
      Terminal.out(leave + lines.map { $0 + "\r\n" }.joined() + "\r\n")
    }
  }
}

extension ReplayEvent.Kind {
  fileprivate func isShown(verbose: Bool, why: Bool) -> Bool {
    isDelivery || (isVerdict ? why : verbose)
  }
}
