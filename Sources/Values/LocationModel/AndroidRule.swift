// SPDX-License-Identifier: Apache-2.0

/// One rule in which releases of Android differ: a field of `AndroidRelease`, and its value from each release on that
/// changed it.
package struct AndroidRule: Sendable {
  /// The field of `AndroidRelease`.
  package let field: String
  /// In Markdown, for the head of its row.
  package let words: String
  /// The source of the values. `doc` is developer.android.com, with its page; `AOSP` the Android Open Source Project, with
  /// its file; `fit` is fitted to measurements (`PhoneTerms`); `recalled` was not read.
  package let source: String
  /// The numbers of the releases that changed it.
  package let changedIn: [Int]
  private let apply: @Sendable (inout AndroidRelease) -> Void
  private let say: @Sendable (AndroidRelease) -> String

  /// Sets the value that the rule has in the release of that number.
  package func set(in release: inout AndroidRelease) { apply(&release) }

  /// The value in a release, in Markdown.
  package func text(in release: AndroidRelease) -> String { say(release) }
}

// MARK: - The table

extension AndroidRule {
  /// One for each field of `AndroidRelease` except its number, in the order of the documentation.
  package static let all: [AndroidRule] = life + location + power

  private static let life: [AndroidRule] = [
    seconds(
      "plainServiceLasts", \.plainServiceLasts, nil, [8: 60], none: "for ever",
      from: "doc: background execution limits, 8; AOSP `ActivityManagerConstants`",
      "a service without a notification runs on after its app is left"),
    flag(
      "hasBackgroundPermission", \.hasBackgroundPermission, since: 10,
      from: "doc: access location in the background", "*while in use* and *always* differ"),
    flag(
      "serviceNeedsLocationType", \.serviceNeedsLocationType, since: 10,
      from: "doc: foreground service types", "a foreground service gives a location",
      says: ("if its type is `location`", "whatever its type")),
    flag(
      "whileInUseStartsVisible", \.whileInUseStartsVisible, since: 11,
      from: "doc: foreground services in 11",
      "with *while in use*, a foreground service that began unseen gives a location",
      says: ("no", "yes")),
    flag(
      "unseenStartNeedsExemption", \.unseenStartNeedsExemption, since: 12,
      from: "doc: restrictions on starting from the background",
      "an app that nobody sees starts a foreground service",
      says: ("by an exemption: a geofence, a change of activity, boot, a push…", "always")),
    flag(
      "startChecksPermission", \.startChecksPermission, since: 14,
      from: "doc: restrictions on starting from the background",
      "a start of type `location` without access at that moment",
      says: ("throws `SecurityException`", "runs, without a location")),
    flag(
      "userStopsServices", \.userStopsServices, since: 13,
      from: "doc: handle user-initiated stopping",
      "the user stops an app with a foreground service from the notifications"),
    seconds(
      "freezesAfter", \.freezesAfter, nil, [12: 600, 14: 10], none: "never",
      from: "AOSP `CachedAppOptimizer` of 12, 13 and 14", "a cached process is frozen after"),
    flag(
      "stopCancelsPromises", \.stopCancelsPromises, since: 15,
      from: "doc: changes for all apps, 15", "a forced stop cancels every `PendingIntent`"),
  ]

  private static let location: [AndroidRule] = [
    seconds(
      "unseenInterval", \.unseenInterval, nil, [8: 1_800], none: "as asked",
      from: "doc: background location limits; AOSP `SystemSettingsHelper`",
      "an app that nobody sees is given a location at most every"),
    rule(
      "geofenceLooks", \.geofenceLooks, 30, [8: 120],
      from: "fit (6); doc: about location and battery, *about two minutes*",
      "while the phone moves, geofences are looked at every", say: { "\(Int($0)) s" }),
    flag(
      "userChoosesApproximate", \.userChoosesApproximate, since: 12,
      from: "doc: request location permissions",
      "the user gives an approximate location (2 km) where a precise one is asked for"),
    rule(
      "saverLocation", \.saverLocation, .receiverOffWithScreen,
      [9: .nothingWithScreenOff, 12: .seenAppsOnly],
      from: "AOSP `BatterySaverPolicy` of 8, 10 and 12",
      "battery saver, while the screen is off",
      say: {
        switch $0 {
        case .receiverOffWithScreen: "no receiver"
        case .nothingWithScreenOff: "no location"
        case .seenAppsOnly: "no location for apps that nobody sees"
        }
      }),
  ]

  private static let power: [AndroidRule] = [
    seconds(
      "lightDozeAfter", \.lightDozeAfter, nil, [7: 300, 9: 180, 13: 60], none: "never",
      from: "AOSP `DeviceIdleController`; dumps of 8 and 10; newer phones show 60 or 240 s",
      "screen off, light Doze begins after"),
    flag(
      "hasBuckets", \.hasBuckets, since: 9, from: "doc: app standby buckets",
      "jobs and alarms have quotas by standby bucket"),
    flag(
      "hasRestrictedBucket", \.hasRestrictedBucket, since: 12, from: "doc: app standby buckets",
      "there is a restricted bucket: one job and one alarm a day"),
    seconds(
      "activeJobs", \.activeJobs, nil, [16: 1_200], none: "no limit", from: "doc: power details",
      "active: jobs in an hour"),
    rule(
      "workingSetWindow", \.workingSetWindow, 7_200, [13: 14_400], from: "doc: power details",
      "working set: 10 min of jobs in", say: { "\(Int($0 / 3_600)) h" }),
    rule(
      "frequentWindow", \.frequentWindow, 28_800, [13: 43_200], from: "doc: power details",
      "frequent: 10 min of jobs in (rare: 24 h)", say: { "\(Int($0 / 3_600)) h" }),
    rule(
      "serviceFreesJobs", \.serviceFreesJobs, true, [16: false], from: "doc: power details",
      "a foreground service frees its app's jobs from the quota", say: { $0 ? "yes" : "no" }),
    flag(
      "exactAlarmsAreGranted", \.exactAlarmsAreGranted, since: 14,
      from: "doc: schedule exact alarms are denied by default, 14",
      "exact alarms need their user's permission"),
  ]
}

// MARK: - Lines of the table

extension AndroidRule {
  private typealias Path<Value> = any WritableKeyPath<AndroidRelease, Value> & Sendable

  private static func flag(
    _ field: String, _ path: Path<Bool>, since version: Int, from source: String, _ words: String,
    says: (yes: String, no: String) = ("yes", "no")
  ) -> AndroidRule {
    rule(
      field, path, false, [version: true], from: source, words,
      say: { $0 ? says.yes : says.no })
  }

  private static func seconds(
    _ field: String, _ path: Path<Double?>, _ first: Double?,
    _ changes: KeyValuePairs<Int, Double?>,
    none: String, from source: String, _ words: String
  ) -> AndroidRule {
    rule(
      field, path, first, changes, from: source, words,
      say: { $0.map { "\(Int($0)) s" } ?? none })
  }

  /// A rule that is `first` in the oldest release, and each of `changes` from that release on.
  private static func rule<Value: Sendable>(
    _ field: String, _ path: Path<Value>, _ first: Value, _ changes: KeyValuePairs<Int, Value>,
    from source: String, _ words: String, say: @escaping @Sendable (Value) -> String
  ) -> AndroidRule {
    let changes = changes.map { (since: $0.key, value: $0.value) }
    return AndroidRule(
      field: field, words: words, source: source, changedIn: changes.map(\.since),
      apply: { release in
        release[keyPath: path] =
          changes.last { $0.since <= release.version }?.value ?? first
      },
      say: { say($0[keyPath: path]) })
  }
}
