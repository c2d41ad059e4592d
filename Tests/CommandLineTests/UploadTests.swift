// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Uploads in reports")
struct UploadTests {
  private let commute = Package.root.appendingPathComponent("Traces/car-commute.gpx").path

  /// What follows the first lines of the commute's details.
  private static let tunnel = "Not judged: 4 min without sky (3.5 km). truth:"

  private func report(_ arguments: [String]) throws -> String {
    let answer = try Program.run(["compare", "--details", "--worlds", "1"] + arguments + [commute])
    #expect(answer.code == 0, "\(answer.errors)")
    return answer.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test("A batch that a short trace does not fill is no saving, and the headline says so")
  func nothingSent() throws {
    let hour = try report(["--upload", "seconds=3600"])
    #expect(
      hour.contains(
        "33.8 km; nothing was sent, because the trace ended before the first batch could go "
          + Self.tunnel))
    let many = try report(["--upload", "count=3000"])
    #expect(
      many.contains(
        "nothing was sent, because the trace ended before the first batch of 3,000 was full "
          + Self.tunnel))
    // In the table, and under it with the age of the first of them.
    #expect(hour.contains("ches unsent for over"))
    #expect(hour.contains("Unsent when the trace ended, and so not paid for: no background mode "))
    #expect(hour.contains("continuous 2,345 (the oldest for 44 min)"))
    let some = try report(["--upload", "count=20"])
    #expect(some.contains("33.8 km; deliveries are uploaded 20 at a time " + Self.tunnel))
    #expect(some.contains("continuous 5 (the oldest for 4 s)"))
    let each = try report(["--upload", "each"])
    #expect(!each.contains("unsent") && !each.contains("Unsent"))
    let short = try Program.run(["--worlds", "1", "--upload", "seconds=3600", commute]).output
    let words = short.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(" · nothing was sent · "))
    #expect(words.contains("Unsent when the trace ended, and so unknown: continuous 2,3"))
  }

  @Test(
    "The table with what is unsent fits 100 columns",
    arguments: ["phone-2021-lte", "tracker-lora-m10"])
  func width(_ profile: String) throws {
    for name in ["car-commute.gpx", "mixed-day.gpx"] {
      let trace = Package.root.appendingPathComponent("Traces/\(name)").path
      let answer = try Program.run([
        "compare", "--details", "--worlds", "1", "-p", profile, "--upload", "seconds=900", trace,
      ])
      #expect(answer.output.contains("unsent"))
      #expect(answer.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
  }

  @Test("Documents count what is unsent, whether or not anything is")
  func documents() throws {
    let answer = try Program.run([
      "compare", "--json", "--worlds", "1", "--upload", "seconds=3600", commute,
    ])
    let runs = try answer.documents().first?["runs"] as? [[String: Any]] ?? []
    #expect(!runs.isEmpty)
    for run in runs {
      #expect(run["uploads"] as? Int == 0)
      #expect(run["unsent"] as? Int == run["deliveries"] as? Int)
      let waits = run["deliveries"] as? Int ?? 0 > 0
      #expect(((run["unsent_oldest_s"] as? Double ?? 0) > 1_000) == waits)
    }
    let csv = try Program.run(["compare", "--csv", "--worlds", "1", commute])
    #expect(csv.output.contains(",uploads,unsent,unsent_oldest_s,"))
    let replay = try Program.run([
      "replay", "--format", "jsonl", "--mode", "continuous", "--upload", "count=20", commute,
    ])
    let end = replay.output.split(separator: "\n").last ?? ""
    #expect(end.contains(#""unsent":5,"unsent_oldest_s":4"#), "\(end)")
  }

  @Test("LoRa's frames queue, and the report says how many deliveries a day fit")
  func frames() throws {
    let tracker = ["-p", "tracker-lora-m10", "--upload", "each"]
    let text = try report(tracker)
    // 11.01 s on the air at 1 % of the time: 1,101 s.
    #expect(
      text.contains(
        "Uploads: 200 bytes for each delivery, at once. A delivery takes 4 frames of at most 51 bytes, "
          + "11 s on the air; the law allows 1 % of the time, which is one delivery every 18 min, and "
          + "the others queue. Unsent when the trace ended"))
    let scratch = try Scratch()
    let large = try report(tracker + scratch.world("upload_bytes: 10240"))
    #expect(
      large.contains(
        "nothing arrived, because the trace ended before the first message was through "
          + Self.tunnel))
  }

  @Test("A radio that is shared, and what a transfer adds, are named under the table")
  func footnotes() throws {
    let shared = try report(["-p", "tracker-ltem-nrf9160", "--upload", "each"])
    #expect(
      shared.contains(
        "receiver and modem share one radio: while the modem is connected, the receiver hears "
          + "nothing"))
    #expect(
      shared.contains(
        "Uploads: 200 bytes for each delivery and 700 for each transfer, at once."))
    let scratch = try Scratch()
    let phone = try report(
      ["--upload", "each"] + scratch.world("upload_overhead_bytes: 60\nupload_bytes: 40"))
    #expect(!phone.contains("share one radio"))
    #expect(
      phone.contains("Uploads: 40 bytes for each delivery and 60 for each transfer, at once."))
  }
}
