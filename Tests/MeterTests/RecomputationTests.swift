// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import RadioPower
import Testing

/// The meter against Tools/recompute-energy, which was written from the tables and not from this code.
@Suite(.enabled(if: Python.isThere, "there is no python3"))
struct RecomputationTests {
  private struct Document: Decodable {
    struct Row: Decodable {
      let component: String
      let state: String
      let seconds: Double
      let energy_j: Double
      let energy_low_j: Double
      let energy_high_j: Double
    }
    let components: [Row]
    let baseline: [Row]
  }

  private func recomputed(
    _ activities: [Activity], _ device: DeviceProfile, _ network: NetworkProfile
  ) throws -> Document {
    var bytes: [UInt8] = []
    for activity in activities { ActivityLogWriter().write(activity: activity, into: &bytes) }
    let file = FileManager.default.temporaryDirectory
      .appending(path: "milepost-\(UUID().uuidString).jsonl")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (code, output) = try Python.tool(
      "recompute-energy",
      [file.path, "--profile", device.name, "--network", network.name])
    #expect(code == 0)
    return try JSONDecoder().decode(Document.self, from: output)
  }

  private func expect(_ rows: [EnergyReport.Row], _ others: [Document.Row], _ what: String) {
    let names = Set(rows.map { "\($0.component) \($0.state)" })
    #expect(names == Set(others.map { "\($0.component) \($0.state)" }), "\(what)")
    for row in rows {
      guard
        let other = others.first(where: { $0.component == row.component && $0.state == row.state })
      else { continue }
      let pairs = [
        (row.seconds, other.seconds), (row.energy.nominal, other.energy_j),
        (row.energy.low, other.energy_low_j), (row.energy.high, other.energy_high_j),
      ]
      for (mine, theirs) in pairs {
        // Durations are whole microseconds here.
        #expect(abs(mine - theirs) <= 2e-5 + 1e-6 * theirs, "\(what): \(row) and \(other)")
      }
    }
  }

  @Test(arguments: EnergyPropertiesTests.pairs)
  func `Both work out the same seconds and joules of every state`(_ pair: (String, String)) throws {
    let device = try device(pair.0)
    let network = try network(pair.1.isEmpty ? device.network : pair.1)
    let activities = randomActivity(seed: 70)
    let report = meter(activities, device, network)
    let document = try recomputed(activities, device, network)
    let what = "\(device.name) on \(network.name)"
    expect(report.components, document.components, what)
    expect(report.baseline, document.baseline, what)
  }

  @Test func `A difference is told and answered with 1`() throws {
    let folder = FileManager.default.temporaryDirectory
    let log = folder.appending(path: "milepost-\(UUID().uuidString).jsonl")
    let energy = folder.appending(path: "milepost-\(UUID().uuidString).json")
    defer {
      try? FileManager.default.removeItem(at: log)
      try? FileManager.default.removeItem(at: energy)
    }
    try Data(
      "{\"at_s\":0,\"component\":\"gnss\",\"state\":\"track\"}\n{\"at_s\":10,\"end\":true}".utf8
    )
    .write(to: log)
    func answer(_ joules: Double) throws -> (code: Int32, output: Data) {
      let row =
        "{\"component\":\"gnss\",\"state\":\"track_good\",\"seconds\":10,\"energy_j\":\(joules)}"
      let floor =
        "{\"component\":\"floor\",\"state\":\"suspended\",\"seconds\":10,\"energy_j\":0.37}"
      let idle = "{\"component\":\"cell\",\"state\":\"idle\",\"seconds\":10,\"energy_j\":0.1295}"
      try Data("{\"components\":[\(row)],\"baseline\":[\(floor),\(idle)]}".utf8).write(to: energy)
      return try Python.tool("recompute-energy", [log.path, "--against", energy.path])
    }
    // 10 s × 78.81 mW.
    #expect(try answer(0.7881).code == 0)
    let wrong = try answer(0.7882)
    #expect(wrong.code == 1)
    #expect(
      String(decoding: wrong.output, as: UTF8.self)
        == "components gnss track_good energy_j: 0.788100 here, 0.788200 there\n")
  }

  /// T18 from the log that Tools/make-reference-day writes.
  @Test(arguments: ReferenceDayTests.table)
  func `T18 comes out of the generated log`(
    _ name: String, _ standard: Double, _ continuous: Double, _ significant: Double, _: Int
  ) throws {
    let device = try device(name)
    // The log of standard mode has 86,400 deliveries; Tools/check-energy meters it for all profiles.
    let isUsual = name == usual
    let modes = [("standard", standard), ("continuous", continuous), ("significant", significant)]
    for (mode, joules) in modes where mode != "standard" || isUsual {
      let (code, output) = try Python.tool(
        "make-reference-day", ["--profile", name, "--mode", mode])
      #expect(code == 0)
      var reader = ActivityLogReader()
      var activities: [Activity] = []
      try reader.decode([UInt8](output).span, into: &activities)
      try reader.finish(into: &activities)
      #expect(reader.hasEnd)
      let report = meter(activities, device, try network(device.network))
      #expect(report.total.nominal.isWithin(of: joules), "\(mode)")
    }
  }
}
