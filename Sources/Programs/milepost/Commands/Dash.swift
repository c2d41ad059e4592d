// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import Glibc
import Host
import JSONText
import LocationModel
import Reports
import ServiceCore

/// `milepost dash`
struct Dash: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dash",
    abstract: "Show what the service does, live, on one screen.",
    discussion: """
      The same as the live page (milepost web), in a terminal: position, receiver, why each app hears \
      nothing, the last hour, energy. Arrow keys scroll, q ends it. Without a terminal one frame is printed.
      """)

  @Flag(help: "Print one frame and end.")
  var once = false

  @Flag(help: "One JSON document (schema milepost.overview/1), and end.")
  var json = false

  @OptionGroup(title: "Service options") var service: ServiceOptions

  /// Milliseconds between two updates [ours].
  private static let pause: Int32 = 1_000

  func run() throws {
    if json {
      try service.show(.overview, json: true) { (_: OverviewDocument) in "" }
      return
    }
    guard !once, TerminalScreen.isThere(on: STDIN_FILENO, STDOUT_FILENO) else {
      let (overview, history) = try look()
      let width = isatty(STDOUT_FILENO) != 0 ? TerminalScreen.size.width : 80
      let lines = DashScreen.lines(overview, history, width: width)
      return try Console.standardOutput(lines.map { $0 + "\n" }.joined())
    }
    try followService()
  }

  private func look() throws -> (OverviewDocument, [HistoryDocument.Entry]) {
    guard let overview: OverviewDocument = try service.ask(.overview) else {
      throw Complaint("milepostd answered without a document")
    }
    let now = overview.status.since.advanced(bySeconds: overview.status.uptime)
    let history: HistoryDocument? = try service.ask(
      .history(
        from: now.advanced(bySeconds: -DashScreen.span), to: now.advanced(bySeconds: 60),
        count: 5_000))
    return (overview, history?.entries ?? [])
  }

  /// The lines by which a key scrolls. Of an arrow's or a page key's sequence (ECMA-48) only the last letter or the digit
  /// counts.
  private static func scroll(_ key: UInt8) -> Int {
    let page = max(1, TerminalScreen.size.height - 4)
    return switch Character(UnicodeScalar(key)) {
    case "A", "k": -1
    case "B", "j": 1
    case "5", "b": -page
    case "6", " ": page
    default: 0
    }
  }

  private func followService() throws {
    var (overview, history) = try look()
    var remark: String?
    var first = 0
    let screen = TerminalScreen()
    defer { screen.leave() }
    while true {
      let isDrawn = screen.draw { width, height in
        DashScreen.screen(
          overview, history, remark: remark ?? "q ends it", width: width, height: height,
          from: &first)
      }
      guard isDrawn else { return }
      switch screen.wait(milliseconds: Self.pause) {
      case .key(UInt8(ascii: "q")), .key(UInt8(ascii: "Q")), .ended(signal: nil): return
      case .ended(let signal?):
        screen.leave()
        // Exits as if killed by that signal.
        kill(getpid(), signal)
        return
      case .key(let key):
        first += Self.scroll(key)
        continue
      case .resized: continue
      case .timePassed: break
      }
      do {
        (overview, history) = try look()
        remark = nil
      } catch let error as Complaint {
        // A restarted service is found again.
        remark = "what follows is old: \(error.message)"
      }
    }
  }
}
