// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The house has rings; an arrow points inwards, never outwards. Each ring is an enumeration, so that
// a target of an inner ring that asks for an outer one does not compile, and the rings can be read
// here. `swift build --explicit-target-dependency-import-check error` and ArchitectureTests do the rest.

/// Ring 0: values. No Foundation, no clock, no file, no socket.
enum Value: String {
  case geodesy = "Geodesy"
  case locationModel = "LocationModel"
}

/// Ring 1: logic. Pure functions and plain structs over ring 0; still no I/O.
enum Logic: String {
  case jsonText = "JSONText"
  case fixFormats = "FixFormats"
  case gpxFormat = "GPXFormat"
  case androidPowerProfile = "AndroidPowerProfile"
  case appLifecycle = "AppLifecycle"
  case locationEngine = "LocationEngine"
  case radioPower = "RadioPower"
  case radioWorld = "RadioWorld"
  case scoring = "Scoring"
  case replay = "Replay"
  case reports = "Reports"
}

/// Ring 2: edges. One kind of input or output each.
enum Edge: String {
  case traceFiles = "TraceFiles"
}

/// C libraries that ring 1 may use for computation only.
enum CLibrary: String {
  case expat = "CExpat"
}

let everywhere: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]
let pure = everywhere + [.strictMemorySafety()]

func value(_ name: Value, uses values: [Value] = []) -> Target {
  .target(
    name: name.rawValue, dependencies: values.map { .byName(name: $0.rawValue) },
    swiftSettings: pure)
}

func logic(
  _ name: Logic, uses values: [Value], and logic: [Logic] = [], c: [CLibrary] = [],
  embeds: [String] = [], excludes: [String] = []
) -> Target {
  .target(
    name: name.rawValue,
    dependencies: values.map { .byName(name: $0.rawValue) }
      + logic.map { .byName(name: $0.rawValue) } + c.map { .byName(name: $0.rawValue) },
    exclude: excludes, resources: embeds.map { .embedInCode($0) }, swiftSettings: pure)
}

func edge(_ name: Edge, uses values: [Value], and logic: [Logic]) -> Target {
  .target(
    name: name.rawValue,
    dependencies: values.map { .byName(name: $0.rawValue) }
      + logic.map { .byName(name: $0.rawValue) },
    swiftSettings: everywhere)
}

func tests(
  _ name: String, of values: [Value] = [], _ logic: [Logic] = [], _ edges: [Edge] = [],
  programs: [String] = [], excludes: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: values.map { .byName(name: $0.rawValue) }
      + logic.map { .byName(name: $0.rawValue) } + edges.map { .byName(name: $0.rawValue) }
      + programs.map { .byName(name: $0) },
    path: "Tests/\(name)Tests", exclude: excludes, swiftSettings: everywhere)
}

let package = Package(
  name: "milepost",
  products: [.executable(name: "milepost", targets: ["milepost"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: [
    // Ring 0
    value(.geodesy),
    value(.locationModel, uses: [.geodesy]),
    // Ring 1
    logic(.jsonText, uses: []),
    logic(.fixFormats, uses: [.geodesy, .locationModel], and: [.jsonText]),
    .systemLibrary(
      name: CLibrary.expat.rawValue, pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    logic(.gpxFormat, uses: [.geodesy, .locationModel], and: [.fixFormats], c: [.expat]),
    logic(.androidPowerProfile, uses: [], and: [.jsonText], c: [.expat]),
    logic(.appLifecycle, uses: [.locationModel]),
    logic(.locationEngine, uses: [.geodesy, .locationModel], and: [.appLifecycle]),
    logic(
      .radioPower, uses: [.geodesy, .locationModel], and: [.jsonText],
      embeds: ["Profiles/Devices", "Profiles/Networks"]),
    logic(.radioWorld, uses: [.geodesy, .locationModel]),
    logic(.scoring, uses: [.geodesy, .locationModel], and: [.radioPower, .radioWorld]),
    logic(
      .replay, uses: [.geodesy, .locationModel],
      and: [.fixFormats, .appLifecycle, .locationEngine, .radioPower, .radioWorld, .scoring]),
    logic(
      .reports, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .fixFormats, .radioPower, .radioWorld, .locationEngine, .appLifecycle, .scoring,
        .replay,
      ],
      excludes: ["Schemas"]),
    // Ring 2
    edge(
      .traceFiles, uses: [.geodesy, .locationModel], and: [.fixFormats, .gpxFormat, .radioWorld]),
    // Ring 4
    .executableTarget(
      name: "milepost",
      dependencies: [
        "Geodesy", "LocationModel", "JSONText", "FixFormats", "GPXFormat", "AppLifecycle",
        "LocationEngine", "AndroidPowerProfile", "RadioPower", "RadioWorld", "Scoring", "Replay",
        "Reports", "TraceFiles",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], exclude: ["Manual"], swiftSettings: everywhere),
    // Tests
    tests("Geodesy", of: [.geodesy]),
    tests("LocationModel", of: [.geodesy, .locationModel]),
    tests("JSONText", of: [], [.jsonText]),
    tests("FixFormats", of: [.geodesy, .locationModel], [.fixFormats, .jsonText]),
    tests("GPXFormat", of: [.geodesy, .locationModel], [.fixFormats, .gpxFormat]),
    tests(
      "AndroidPowerProfile", of: [.locationModel], [.androidPowerProfile, .radioPower]),
    tests("AppLifecycle", of: [.locationModel], [.appLifecycle]),
    tests(
      "LocationEngine", of: [.geodesy, .locationModel], [.appLifecycle, .locationEngine]),
    tests("RadioPower", of: [.geodesy, .locationModel], [.radioPower, .jsonText]),
    tests("RadioWorld", of: [.geodesy, .locationModel], [.radioWorld]),
    tests(
      "Replay", of: [.geodesy, .locationModel],
      [.fixFormats, .appLifecycle, .locationEngine, .radioPower, .radioWorld, .scoring, .replay]),
    tests(
      "Scoring", of: [.geodesy, .locationModel], [.radioPower, .radioWorld, .scoring]),
    tests(
      "Reports", of: [.geodesy, .locationModel],
      [
        .jsonText, .fixFormats, .radioPower, .radioWorld, .locationEngine, .appLifecycle, .scoring,
        .replay, .reports,
      ]),
    tests(
      "TraceFiles", of: [.geodesy, .locationModel], [.fixFormats, .gpxFormat, .radioWorld],
      [.traceFiles]),
    tests("Architecture"),
    tests(
      "CommandLine", of: [], [.jsonText], programs: ["milepost"], excludes: ["Golden"]),
  ],
  swiftLanguageModes: [.v6]
)
