// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

extension Live {
  /// A sink of a real service, over an outage, a kill and a stop.
  @Suite("Sinks")
  struct SinkTests {
    /// The numbers in a sink's folder, in file order.
    private func numbers(in folder: String) -> [Int] {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return files.sorted().flatMap { file in
        ((try? String(contentsOfFile: folder + "/" + file, encoding: .utf8)) ?? "")
          .split(separator: "\n").map { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["sequence"] as? Int ?? -1
          }
      }
    }

    @Test("Every event is in its file, whatever happens in between, and is decided the same again")
    func life() throws {
      let station = try Station(settings: LifeTests.quick)
      try station.startGPSD()
      let folder = station.path("tracks")
      let recordings = ["first", "second"].map { station.path("\($0).recording") }
      try station.startDaemon(["--record", recordings[0]])
      let manifest = """
        kind: sink
        service: continuous
        modes: [location]
        authorization: always

        sink:
          kind: file
          folder: tracks
        """
      let file = station.path("tracks.yaml")
      try "name: tracks\n\(manifest)".write(toFile: file, atomically: true, encoding: .utf8)
      let refused = try station.milepost(["apps", "add", file])
      #expect(
        refused.text
          == "milepost: error: tracks.yaml:7: sink: there is no folder \(folder); make it, as the user "
          + "that the service runs as\n")
      mkdir(folder, 0o700)
      try station.add("tracks", manifest)
      Waiting.until("events are in the file") { numbers(in: folder).count > 2 }

      // The disk goes away, and comes back.
      rename(folder, folder + ".away")
      try Waiting.until("the outage is known") {
        let app = try station.document(["apps", "show", "tracks"])
        return (app["trouble"] as? String)?.hasSuffix(": No such file or directory") == true
          && app["pending"] as? Int ?? 0 > 2
      }
      let status = try station.milepost(["status"]).text.split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
      #expect(status.contains("tracks: ") && status.contains(": cannot write /"), "\(status)")
      rename(folder + ".away", folder)
      let before = numbers(in: folder).count
      Waiting.until("what waited is in the file") { numbers(in: folder).count > before + 2 }

      station.killDaemon()
      try station.startDaemon(["--record", recordings[1]])
      let last = numbers(in: folder).last ?? 0
      Waiting.until("the next service goes on") { numbers(in: folder).last ?? 0 > last + 2 }
      station.stopDaemon()

      // At least once: repetitions are identical, and none is left out.
      let all = numbers(in: folder)
      #expect(Set(all) == Set(1...(all.max() ?? 0)))
      for (number, next) in zip(all, all.dropFirst()) { #expect(next <= number + 1) }
      for recording in recordings {
        let again = try station.milepost(["replay", "--why", recording])
        #expect(again.code == 0, "\(again.text.suffix(1_500))")
        #expect(again.text.contains("Decided again, and the same: "))
      }
    }
  }
}
