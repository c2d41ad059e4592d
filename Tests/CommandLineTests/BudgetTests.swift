// SPDX-License-Identifier: Apache-2.0

import Testing

/// `milepost --budget 1% trip.gpx`.
@Suite("A budget")
struct BudgetTests {
  @Test("A budget names the best mode that costs no more, and says where none does")
  func budget() throws {
    let commute = Package.trace("commute-day.gpx")
    let document = try Answering.document(commute, ["--budget", "1%/day"])
    for (purpose, answer) in Answering.answers(document) {
      let budget = try #require(answer["budget_j"] as? Double)
      let own = try Answering.row(of: answer, in: document)["energy_j"] as? Double ?? .nan
      #expect(own <= budget && answer["affordable"] as? Bool == true, "\(purpose)")
    }
    // Two orders of magnitude below continuous updates, region monitoring is the quickest.
    #expect(Answering.answers(document)["fence"]?["mode"] as? String == "regions")
    let text = try Program.run(["--budget", "1%", "--for", "fence", commute]).output
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      text.contains(
        "To notice that the border of a place was crossed for 1 % of the battery: "))
    #expect(text.contains("region monitoring, 115 s"))
    // The front in words, from the cheapest to the quickest.
    #expect(
      text.contains(
        /visits, 0\.\d+ %; within 115 s region monitoring, 0\.\d+ %; .*continuous, 9\d %/))
    let none = try Answering.document(commute, ["--budget", "0.01 mWh"])
    for answer in Answering.answers(none).values {
      #expect(answer["mode"] as? String == "visits" && answer["affordable"] as? Bool == false)
    }
    #expect(
      try Program.run(["--budget", "0.01 mWh", commute]).output.contains(
        "no mode; cheapest is visits"))
    for (options, words) in [
      (
        ["--budget", "20"],
        "--budget: '20' has no unit; write one of %, %/h, %/day, mWh, mWh/day, mW behind the number"
      ),
      (
        ["--budget", "20 apples"],
        "--budget: 'apples' is no unit of a budget; known: %, %/h, %/day, mWh, mWh/day, mW"
      ),
      (
        ["--budget", "1%", "--for", "arrival", "--within", "5min"],
        "--within asks for the cheapest mode that is good enough, --budget for the best that is cheap enough; leave one "
          + "out"
      ),
    ] {
      let answer = try Program.run(["compare"] + options + [commute])
      #expect(
        answer.code == 2 && answer.errors.contains("milepost: error: \(words)\n"),
        "\(answer.errors)")
    }
  }
}
