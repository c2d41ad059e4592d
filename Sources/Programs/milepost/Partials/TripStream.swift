// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import JSONText
import Reports
import TraceFiles

// Theory
// ======
//
// A worker that stays: it reads trips in frames (`TripFrames`), answers each with one line, and writes the sums over all
// that did not fail where it is told to (an empty line), and at the end.
//
//   frame ──► a file ──► judged ──► line ──► sums
//               │          └── fails, or takes too long ──► line with the reason
//   empty line ──► the sums so far ──► from the beginning
//
// A trip is a file in a folder of its own while it is judged, with its truth and its list of deliveries beside it, as
// everywhere else: so memory holds no trip, and any format that a program converts works as ever. A frame that cannot be
// right ends the stream without sums: nobody knows where the next one begins.

/// Judges trips from standard input, one after the other.
struct TripStream<Line: PartialLine> {
  struct Trip {
    let path: String
    /// Of its list of deliveries; `nil` if there is none.
    let events: String?
    let budget: TripBudget
  }

  /// The limit of a trip; `nil` if there is none.
  let seconds: Double?
  /// Whether each trip must have a list of deliveries.
  let takesEvents: Bool

  /// `judge` returns a trip's sums, and its line for a head; `failed` makes the line of one that failed.
  func run(
    _ judge: (Trip) throws -> (sums: Line, line: (TripHead) -> [UInt8]),
    failed: (TripHead) -> [UInt8]
  ) throws {
    let output = try OutputFile(path: nil)
    let folder = try TripFolder()
    var frames = TripFrames()
    var sum: Line?
    func writeSums() throws {
      if let line = sum?.line { try output.write(line + [0x0A]) }
      sum = nil
      try output.flush()
    }
    while let frame = try frames.next() {
      guard case .trip(let head) = frame else {
        try writeSums()
        continue
      }
      try frames.readParts(of: head, into: folder)
      defer { folder.empty() }
      let budget = TripBudget(seconds: seconds)
      let trip = Trip(
        path: folder.path(head.file), events: head.events.map { _ in folder.path(head.eventsFile) },
        budget: budget)
      do {
        guard takesEvents == (head.events != nil) else {
          throw Complaint(
            takesEvents
              ? "\(head.file): no list of deliveries; give its length as events_bytes"
              : "\(head.file): a list of deliveries; milepost score --stream takes one")
        }
        let (part, line) = try judge(trip)
        if sum == nil { sum = part } else { sum? += part }
        try output.write(line(TripHead(name: head.name, seconds: budget.spent)))
      } catch {
        let reason = (error as? Complaint)?.message ?? "\(error)"
        try output.write(
          failed(TripHead(name: head.name, seconds: budget.spent, failure: reason)))
      }
      // Who hands trips over waits for the answer.
      try output.flush()
    }
    try writeSums()
    try output.commit()
  }
}

/// The folder that holds one trip at a time; it goes with the last reference.
final class TripFolder {
  private let folder: String
  private var files: [String] = []

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
    guard let made = Directory.makeTemporary(in: parent) else {
      throw Complaint(
        "\(parent): \(SystemError.text()); a temporary folder for trips is needed (set TMPDIR to a folder that can be "
          + "written)")
    }
    folder = made
  }

  deinit {
    empty()
    rmdir(folder)
  }

  func path(_ file: String) -> String { "\(folder)/\(file)" }

  /// Makes an empty file; returns its descriptor.
  func makeFile(_ name: String) throws -> Int32 {
    let descriptor = open(path(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Complaint("\(path(name)): \(SystemError.text())") }
    files.append(name)
    return descriptor
  }

  func empty() {
    for file in files { unlink(path(file)) }
    files = []
  }
}
