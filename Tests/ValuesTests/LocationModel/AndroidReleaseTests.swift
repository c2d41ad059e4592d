// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import Testing

@Suite("Releases of Android")
struct AndroidReleaseTests {
  @Test(
    "Every field of a release but its number has its rule, and no rule stands for anything else")
  func complete() {
    let fields = Mirror(reflecting: AndroidRelease.usual).children.compactMap(\.label)
      .filter { $0 != "version" }
    #expect(Set(AndroidRule.all.map(\.field)) == Set(fields))
    #expect(AndroidRule.all.count == fields.count)
  }

  @Test("A rule's field is the one that its words are about: setting it changes that field alone")
  func fields() {
    for rule in AndroidRule.all {
      for (older, newer) in zip(AndroidRelease.all, AndroidRelease.all.dropFirst()) {
        let differs = value(of: rule.field, in: older) != value(of: rule.field, in: newer)
        let isChanged = rule.changedIn.contains { older.version < $0 && $0 <= newer.version }
        #expect(differs == isChanged, "\(rule.field) from \(older.name) to \(newer.name)")
        #expect((rule.text(in: older) != rule.text(in: newer)) == differs, "\(rule.field)")
      }
    }
  }

  // What each release is known for, by the pages of developer.android.com about its changes of behaviour.
  @Test("Each release changes what its own documentation names")
  func differences() {
    #expect(
      changes(from: .android6, to: .android8)
        == ["plainServiceLasts", "unseenInterval", "geofenceLooks", "lightDozeAfter"])
    #expect(
      changes(from: .android8, to: .android10)
        == [
          "hasBackgroundPermission", "serviceNeedsLocationType", "saverLocation",
          "lightDozeAfter", "hasBuckets",
        ])
    #expect(
      changes(from: .android10, to: .android12)
        == [
          "whileInUseStartsVisible", "unseenStartNeedsExemption", "freezesAfter",
          "userChoosesApproximate", "saverLocation", "hasRestrictedBucket",
        ])
    #expect(
      changes(from: .android12, to: .android14)
        == [
          "startChecksPermission", "userStopsServices", "freezesAfter", "lightDozeAfter",
          "workingSetWindow", "frequentWindow", "exactAlarmsAreGranted",
        ])
    #expect(
      changes(from: .android14, to: .android16)
        == ["stopCancelsPromises", "activeJobs", "serviceFreesJobs"])
  }

  @Test("A release is found by its name, and by no other")
  func names() {
    #expect(
      AndroidRelease.all.map(\.name)
        == ["android6", "android8", "android10", "android12", "android14", "android16"])
    for release in AndroidRelease.all { #expect(AndroidRelease.named(release.name) == release) }
    #expect(AndroidRelease.named("android7") == nil)
    #expect(AndroidRelease.named("Android14") == nil)
  }

  @Test("The page about Android has the table that the code makes of the releases")
  func table() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appendingPathComponent("Sources/Programs/milepost/Milepost.docc/Android.md"),
      encoding: .utf8)
    #expect(page.contains(Self.markdown), "put this into Android.md:\n\(Self.markdown)")
    #expect(page.contains("`\(AndroidRelease.usual.name)` count where nobody says otherwise"))
  }

  /// The rules as the page shows them: one row per rule, one column per release.
  private static var markdown: String {
    let releases = AndroidRelease.all
    var text = "| rule |" + releases.map { " \($0.version) |" }.joined() + " from |\n"
    text += "| --- |" + releases.map { _ in " --- |" }.joined() + " --- |\n"
    for rule in AndroidRule.all {
      text += "| \(rule.words) |" + releases.map { " \(rule.text(in: $0)) |" }.joined()
      text += " \(rule.source) |\n"
    }
    return text
  }

  private func changes(from older: AndroidRelease, to newer: AndroidRelease) -> [String] {
    AndroidRule.all.map(\.field).filter { value(of: $0, in: older) != value(of: $0, in: newer) }
  }

  private func value(of field: String, in release: AndroidRelease) -> String {
    let found = Mirror(reflecting: release).children.first { $0.label == field }
    return "\(found?.value ?? "none")"
  }
}
