// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

// Theory
// ======
//
// A screen is drawn on the terminal's alternate screen, so that the user's content returns at the end, and a terminal
// that changes its size cannot rewrap the drawing. A frame is one write: home, each line with the rest of its row
// cleared, then the rows below.
//
//   enter ─► drawn ─┬─ a key ─────────┐
//                   ├─ SIGWINCH ──────┤► told; the caller draws again, or
//                   └─ time is up ────┘
//                   ├─ SIGTSTP ─► left, and stopped; when it goes on, told, and entered anew
//                   └─ SIGINT, SIGTERM, SIGHUP, end of input ─► told as the end ─► leave: all as it was
//
// Keys come at once and are not shown (no canonical mode, no echo). Signals only set a flag and end the wait.

/// A frame of lines in terminal form (ECMA-48).
package enum TerminalFrame {
  /// Shows the alternate screen and hides the cursor; and back.
  package static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  package static let leave = "\u{1B}[?25h\u{1B}[?1049l"

  /// At most `height` lines of at most `width` columns each.
  package static func text(_ lines: [String], width: Int, height: Int) -> String {
    // Clearing after a full row would delete its last column on some terminals.
    let rows = lines.map { $0.count < width ? $0 + "\u{1B}[K" : $0 }
    let below = lines.count < height ? "\r\n\u{1B}[J" : ""
    return "\u{1B}[H" + rows.joined(separator: "\r\n") + below
  }
}

/// The terminal of standard input and output, as one screen.
package final class TerminalScreen {
  /// The end of a wait.
  package enum Event: Sendable, Equatable {
    case key(UInt8)
    /// The size changed, or the program continues after a stop: draw again.
    case resized
    case timePassed
    /// It must end, because of this signal; `nil` if the terminal is gone.
    case ended(signal: Int32?)
  }

  private static let signal = Atomic<Int32>(0)
  private static let isResized = Atomic(false)
  private static let isStopAsked = Atomic(false)
  private static let heard = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP]

  private var before = termios()
  private var isEntered = false

  package init() {}

  deinit { leave() }

  /// Whether these descriptors are a terminal that can move its cursor.
  package static func isThere(on descriptors: Int32...) -> Bool {
    guard descriptors.allSatisfy({ isatty($0) != 0 }) else { return false }
    guard let kind = getenv("TERM").map({ String(cString: $0) }) else { return false }
    return !kind.isEmpty && kind != "dumb"
  }

  /// Columns and rows of standard output; 80 and 24 if unknown.
  package static var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Shows the frame; returns `false` if the terminal is gone.
  package func draw(_ lines: (_ width: Int, _ height: Int) -> [String]) -> Bool {
    let (width, height) = Self.size
    let first = isEntered ? "" : enter()
    return write(first + TerminalFrame.text(lines(width, height), width: width, height: height))
  }

  /// Waits for a key, a signal or the timeout.
  package func wait(milliseconds: Int32) -> Event {
    if let event = flagged { return event }
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let count = poll(&input, 1, milliseconds)
    if let event = flagged { return event }
    guard count > 0 else { return .timePassed }
    var byte: UInt8 = 0
    return read(STDIN_FILENO, &byte, 1) == 1 ? .key(byte) : .ended(signal: nil)
  }

  private var flagged: Event? {
    let signal = Self.signal.load(ordering: .relaxed)
    if signal != 0 { return .ended(signal: signal) }
    if Self.isStopAsked.exchange(false, ordering: .relaxed) {
      // The shell gets its terminal in its original state.
      leave()
      raise(SIGTSTP)
      return .resized
    }
    return Self.isResized.exchange(false, ordering: .relaxed) ? .resized : nil
  }

  /// Restores the terminal.
  package func leave() {
    guard isEntered else { return }
    isEntered = false
    _ = write(TerminalFrame.leave)
    tcsetattr(STDIN_FILENO, TCSANOW, &before)
    for number in Self.heard { Glibc.signal(number, SIG_DFL) }
  }

  private func enter() -> String {
    tcgetattr(STDIN_FILENO, &before)
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    var action = sigaction()
    sigemptyset(&action.sa_mask)
    // Without SA_RESTART: a signal must end the wait.
    action.__sigaction_handler.sa_handler = { number in
      switch number {
      case SIGWINCH: TerminalScreen.isResized.store(true, ordering: .relaxed)
      case SIGTSTP: TerminalScreen.isStopAsked.store(true, ordering: .relaxed)
      default: TerminalScreen.signal.store(number, ordering: .relaxed)
      }
    }
    var unblocked = sigset_t()
    sigemptyset(&unblocked)
    for number in Self.heard {
      sigaction(number, &action, nil)
      sigaddset(&unblocked, number)
    }
    // The parent program may have blocked them.
    pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    isEntered = true
    return TerminalFrame.enter
  }

  private func write(_ text: String) -> Bool {
    WholeWrite.write(Array(text.utf8)[...], to: STDOUT_FILENO).error == nil
  }
}
