// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The house has rings; an arrow points inwards, or to a neighbour of the same ring where that is said,
// never outwards. Each ring is an enumeration, so that a target of an inner ring that asks for an outer
// one does not compile, and the rings can be read here, and in the folders of Sources.
// `swift build --explicit-target-dependency-import-check error` and ArchitectureTests do the rest.

/// Ring 0: values. No Foundation, no clock, no file, no socket.
enum Value: String, CaseIterable {
  case geodesy = "Geodesy"
  case locationModel = "LocationModel"
  case seededRandom = "SeededRandom"
}

/// Ring 1: logic. Pure functions and plain structs over ring 0; still no I/O.
enum Logic: String, CaseIterable {
  case jsonText = "JSONText"
  case fixFormats = "FixFormats"
  case gpxFormat = "GPXFormat"
  case anonymity = "Anonymity"
  case ground = "Ground"
  case androidPowerProfile = "AndroidPowerProfile"
  case appLifecycle = "AppLifecycle"
  case locationEngine = "LocationEngine"
  case controlProtocol = "ControlProtocol"
  case settings = "Settings"
  case wording = "Wording"
  case serviceContract = "ServiceContract"
  case serviceCore = "ServiceCore"
  case serviceSimulation = "ServiceSimulation"
  case radioPower = "RadioPower"
  case radioWorld = "RadioWorld"
  case scoring = "Scoring"
  case scenarios = "Scenarios"
  case replay = "Replay"
  case reports = "Reports"
}

/// Ring 2: edges. One kind of input or output each, over rings 0 and 1; an edge may use another one
/// (what the keeper and its supervisor share is `AppKeeping`).
enum Edge: String, CaseIterable {
  case files = "Files"
  case traceFiles = "TraceFiles"
  case gpsdSource = "GPSDSource"
  case appKeeping = "AppKeeping"
  case appSupervisor = "AppSupervisor"
  case listening = "Listening"
  case controlSocket = "ControlSocket"
  case controlClient = "ControlClient"
  case settingsFiles = "SettingsFiles"
  case stateStore = "StateStore"
  case recording = "Recording"
  case threads = "Threads"
  case messageBus = "MessageBus"
  case modemCells = "ModemCells"
  case clockWatch = "ClockWatch"
  case deviceWatch = "DeviceWatch"
  case networkWatch = "NetworkWatch"
  case desktopNotifications = "DesktopNotifications"
  case geoClueBus = "GeoClueBus"
  case socketWatch = "SocketWatch"
  case systemd = "Systemd"
  case httpClient = "HTTPClient"
  case sinks = "Sinks"
  case statusHTTP = "StatusHTTP"
  case terminalScreen = "TerminalScreen"
}

/// Ring 3: wiring. Edges, engine and the real clock put together, and what apps import: the engine's
/// instants are read from a clock here and nowhere else.
enum Wiring: String {
  case daemonRuntime = "DaemonRuntime"
  case locationClient = "LocationClient"
  case locationClientReplay = "LocationClientReplay"
  case coreLocation = "CoreLocation"
  case backgroundExecution = "BackgroundExecution"
}

/// Ring 4: programs. They parse, run what the rings give, and answer with an exit code.
enum Program: String {
  case milepost = "milepost"
  case milepostd = "milepostd"
  case milepostKeeper = "milepost-keeper"
  case filterLab = "filter-lab"
  case locationExample = "location-example"
  case backgroundExample = "background-example"
  case simulateService = "simulate-service"
}

/// C: ring 1 may use libraries of it for computation only; the edges what Swift cannot call.
enum CLibrary: String, CaseIterable {
  case expat = "CExpat"
  case vector = "CVector"
  case gps = "CGPS"
  case dbus = "CDBus"
  case curl = "CCurl"
  case mosquitto = "CMosquitto"
  case sodium = "CSodium"
  case unix = "CUnix"
  case concurrency = "CConcurrency"
  case replayClock = "CReplayClock"
}

/// What other packages give, by module: to the programs, and to nothing that an app imports. So they belong to the
/// trait `Programs`, which is on by default; who builds an app leaves it out, and fetches none of them.
enum Library: String, CaseIterable {
  case argumentParser = "ArgumentParser"
  case logging = "Logging"
  case nioCore = "NIOCore"
  case nioPosix = "NIOPosix"
  case nioHTTP1 = "NIOHTTP1"
  case unixSignals = "UnixSignals"
  case grdb = "GRDB"
  case yams = "Yams"

  var product: Target.Dependency {
    let package =
      switch self {
      case .argumentParser: "swift-argument-parser"
      case .logging: "swift-log"
      case .nioCore, .nioPosix, .nioHTTP1: "swift-nio"
      case .unixSignals: "swift-service-lifecycle"
      case .grdb: "GRDB.swift"
      case .yams: "Yams"
      }
    return .product(name: rawValue, package: package, condition: .when(traits: [programs]))
  }
}

/// The trait of what needs other packages: the programs, and the edges that only they use.
let programs = "Programs"

/// `MILEPOST_FUZZ=FAMILY` makes a program of one family of readers of hostile input, around which libFuzzer is linked.
/// `MILEPOST_SANITIZERS` has the flags that instrument our targets for it, and only them: what a fuzzer must look at
/// after each input grows with all that is instrumented and linked. `Tools/fuzz` sets both.
let fuzzedFamily = Context.environment["MILEPOST_FUZZ"]
let sanitizers =
  Context.environment["MILEPOST_SANITIZERS"]?.split(separator: " ").map(String.init) ?? []
let fuzzed: [SwiftSetting] =
  fuzzedFamily == nil ? [] : [.unsafeFlags(sanitizers + ["-enable-testing"])]
let everywhere: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
  ] + fuzzed
/// What computes in rings 0 and 1 is optimised in the tests' builds too where `MILEPOST_OPTIMIZED_TESTS=1` is set, as `Tools/test` does:
/// the engine's tests are thirty times as fast then. Their assertions stay. Not always, for a package with such
/// flags is no dependency for others.
let optimised: [SwiftSetting] =
  Context.environment["MILEPOST_OPTIMIZED_TESTS"] == "1"
  ? [
    .unsafeFlags(
      ["-O", "-whole-module-optimization", "-num-threads", "2", "-assert-config", "Debug"],
      .when(configuration: .debug))
  ] : []
let pure = everywhere + [.strictMemorySafety()]
/// Those of ring 1 that state and say: optimising them takes longer than their tests gain.
let stating: Set<Logic> = [
  .controlProtocol, .settings, .wording, .serviceContract, .scenarios, .reports,
]

/// The dependencies of one target, by ring.
func needs(
  _ values: [Value] = [], _ logic: [Logic] = [], _ c: [CLibrary] = [], _ edges: [Edge] = [],
  _ wiring: [Wiring] = [], _ libraries: [Library] = []
) -> [Target.Dependency] {
  let names =
    values.map(\.rawValue) + logic.map(\.rawValue) + c.map(\.rawValue) + edges.map(\.rawValue)
    + wiring.map(\.rawValue)
  return names.map { .byName(name: $0) } + libraries.map(\.product)
}

func value(_ name: Value, uses values: [Value] = []) -> Target {
  .target(
    name: name.rawValue, dependencies: needs(values), path: "Sources/Values/\(name.rawValue)",
    swiftSettings: pure + optimised)
}

/// One that only tests and tools use lies below Tests, and is held to the same rules.
func logic(
  _ name: Logic, uses values: [Value], and logic: [Logic] = [], c: [CLibrary] = [],
  at path: String? = nil, excludes: [String] = [], plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name.rawValue, dependencies: needs(values, logic, c),
    path: path ?? "Sources/Logic/\(name.rawValue)", exclude: excludes,
    swiftSettings: pure + (stating.contains(name) ? [] : optimised), plugins: plugins)
}

func edge(
  _ name: Edge, uses values: [Value], and logic: [Logic], c: [CLibrary] = [],
  edges: [Edge] = [], libraries: [Library] = [], excludes: [String] = [],
  plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name.rawValue, dependencies: needs(values, logic, c, edges, [], libraries),
    path: "Sources/Edges/\(name.rawValue)", exclude: excludes, swiftSettings: everywhere,
    plugins: plugins)
}

/// A library of C: its name for pkg-config, and the Debian package that has it; neither where it is the system's own.
func library(_ name: CLibrary, package: String? = nil, debian: String? = nil) -> Target {
  .systemLibrary(
    name: name.rawValue, path: "Sources/C/\(name.rawValue)", pkgConfig: package,
    providers: debian.map { [.apt([$0])] })
}

func wiring(
  _ name: Wiring, uses values: [Value], and logic: [Logic], c: [CLibrary] = [], edges: [Edge],
  wiring: [Wiring] = [], libraries: [Library] = []
) -> Target {
  .target(
    name: name.rawValue, dependencies: needs(values, logic, c, edges, wiring, libraries),
    path: "Sources/Wiring/\(name.rawValue)",
    swiftSettings: everywhere)
}

func program(
  _ name: Program, uses values: [Value] = [], and logic: [Logic] = [], c: [CLibrary] = [],
  edges: [Edge] = [], wiring: [Wiring] = [], libraries: [Library] = [], at path: String? = nil,
  excludes: [String] = []
) -> Target {
  .executableTarget(
    name: name.rawValue, dependencies: needs(values, logic, c, edges, wiring, libraries),
    path: path ?? "Sources/Programs/\(name.rawValue)", exclude: excludes,
    swiftSettings: everywhere)
}

func tests(
  _ name: String, of values: [Value] = [], _ logic: [Logic] = [], _ edges: [Edge] = [],
  c: [CLibrary] = [], wiring: [Wiring] = [], programs: [Program] = [], libraries: [Library] = [],
  excludes: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: needs(values, logic, c, edges, wiring, libraries)
      + programs.map { .byName(name: $0.rawValue) } + needs([.seededRandom]),
    path: "Tests/\(name)Tests", exclude: excludes, swiftSettings: everywhere)
}

/// Some of what reads bytes from outside, in a file of `Tests/HostileInputTests/Readers`, and what it needs.
struct HostileFamily {
  var name: String
  var values: [Value] = []
  var logic: [Logic] = []
  var edges: [Edge] = []
  var c: [CLibrary] = []
  var libraries: [Library] = []

  /// What any of the families needs, each once.
  static func dependencies(of families: [HostileFamily]) -> [Target.Dependency] {
    func all<Need: CaseIterable & Equatable>(_ part: KeyPath<HostileFamily, [Need]>) -> [Need] {
      Need.allCases.filter { need in families.contains { $0[keyPath: part].contains(need) } }
    }
    return needs(all(\.values), all(\.logic), all(\.c), all(\.edges), [], all(\.libraries))
  }
}

/// All of it behind one entry each, with tests that read a small corpus; or one family as a program for a fuzzer.
func hostileInput(_ families: [HostileFamily]) -> Target {
  let path = "Tests/HostileInputTests"
  guard let family = families.first(where: { $0.name == fuzzedFamily }) else {
    return .testTarget(
      name: "HostileInputTests", dependencies: HostileFamily.dependencies(of: families), path: path,
      exclude: ["Corpus", "Dictionaries", "LibFuzzer"], swiftSettings: everywhere)
  }
  return .executableTarget(
    name: "read-hostile-input", dependencies: HostileFamily.dependencies(of: [family]), path: path,
    exclude: ["Corpus", "Dictionaries"],
    sources: ["LibFuzzer", "Readers/HostileReader.swift", "Readers/\(family.name).swift"],
    swiftSettings: everywhere + [.define(family.name)],
    // gold, the usual linker, ends with an error of its own here.
    linkerSettings: [
      .unsafeFlags(sanitizers.filter { $0.hasPrefix("-sanitize=") } + ["-use-ld=lld"])
    ])
}

let package = Package(
  name: "milepost",
  products: [
    .executable(name: "milepost", targets: ["milepost"]),
    .executable(name: "milepostd", targets: ["milepostd"]),
    .executable(name: "milepost-keeper", targets: ["milepost-keeper"]),
    .library(name: "LocationClient", targets: ["LocationClient"]),
    .library(name: "LocationClientReplay", targets: ["LocationClientReplay"]),
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
    .library(name: "BackgroundExecution", targets: ["BackgroundExecution"]),
  ],
  traits: [
    .default(enabledTraits: [programs]),
    .trait(
      name: programs,
      description:
        "The programs milepost and milepostd, with the packages that they need; an app needs none."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
  ],
  targets: [
    // Ring 0
    value(.geodesy),
    value(.locationModel, uses: [.geodesy]),
    value(.seededRandom),
    // Ring 1
    library(.vector),
    logic(.jsonText, uses: [.geodesy, .locationModel], c: [.vector]),
    logic(.fixFormats, uses: [.geodesy, .locationModel], and: [.jsonText]),
    library(.expat, package: "expat", debian: "libexpat1-dev"),
    logic(
      .gpxFormat, uses: [.geodesy, .locationModel], and: [.jsonText, .fixFormats], c: [.expat]),
    logic(.anonymity, uses: [.geodesy, .locationModel], and: [.fixFormats]),
    logic(.ground, uses: [.geodesy], and: [.jsonText, .fixFormats]),
    logic(.appLifecycle, uses: [.locationModel]),
    logic(.locationEngine, uses: [.geodesy, .locationModel, .seededRandom], and: [.appLifecycle]),
    logic(.controlProtocol, uses: [.geodesy, .locationModel], and: [.jsonText]),
    logic(
      .settings, uses: [.geodesy, .locationModel],
      and: [.jsonText, .appLifecycle, .locationEngine]),
    logic(
      .radioPower, uses: [.geodesy, .locationModel, .seededRandom], and: [.jsonText, .fixFormats],
      excludes: ["Profiles"], plugins: ["EmbedFiles"]),
    logic(.androidPowerProfile, uses: [], and: [.jsonText, .radioPower], c: [.expat]),
    logic(.wording, uses: [.locationModel], and: [.jsonText, .locationEngine, .appLifecycle]),
    logic(
      .serviceContract, uses: [.geodesy, .locationModel],
      and: [.jsonText, .controlProtocol, .locationEngine, .radioPower, .settings]),
    logic(
      .serviceCore, uses: [.geodesy, .locationModel, .seededRandom],
      and: [
        .jsonText, .fixFormats, .appLifecycle, .locationEngine, .controlProtocol, .radioPower,
        .settings,
        .wording, .serviceContract,
      ]),
    logic(
      .serviceSimulation, uses: [.geodesy, .locationModel, .seededRandom],
      and: [
        .jsonText, .appLifecycle, .locationEngine, .controlProtocol, .radioPower, .settings,
        .serviceContract, .serviceCore,
      ], at: "Tests/ServiceSimulation"),
    logic(
      .radioWorld, uses: [.geodesy, .locationModel, .seededRandom], and: [.jsonText, .fixFormats]),
    logic(.scoring, uses: [.geodesy, .locationModel], and: [.radioPower, .radioWorld]),
    logic(.scenarios, uses: [.geodesy, .locationModel], and: [.jsonText, .settings]),
    logic(
      .replay, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .fixFormats, .appLifecycle, .locationEngine, .controlProtocol, .settings, .radioPower,
        .radioWorld, .scenarios, .scoring, .serviceContract, .serviceCore,
      ]),
    logic(
      .reports, uses: [.geodesy, .locationModel, .seededRandom],
      and: [
        .jsonText, .fixFormats, .ground, .radioPower, .radioWorld, .locationEngine, .appLifecycle,
        .scoring, .replay, .scenarios, .controlProtocol, .settings, .wording, .serviceContract,
        .serviceCore,
      ], excludes: ["Page"], plugins: ["EmbedFiles"]),
    // Ring 2
    edge(.files, uses: [], and: []),
    edge(
      .traceFiles, uses: [.geodesy, .locationModel],
      and: [.jsonText, .fixFormats, .gpxFormat, .ground, .radioWorld, .scoring, .replay],
      edges: [.files]),
    library(.gps, package: "libgps", debian: "libgps-dev"),
    library(.unix),
    edge(
      .gpsdSource, uses: [.geodesy, .locationModel, .seededRandom],
      and: [.jsonText, .fixFormats, .serviceContract], c: [.gps], edges: [.files],
      libraries: [.nioCore, .nioPosix]),
    edge(.appKeeping, uses: [.seededRandom], and: [], c: [.unix], edges: [.files]),
    edge(
      .appSupervisor, uses: [.seededRandom], and: [.jsonText, .serviceContract], c: [.unix],
      edges: [.files, .appKeeping]),
    edge(.listening, uses: [], and: [], libraries: [.nioCore]),
    edge(
      .controlSocket, uses: [.locationModel],
      and: [.jsonText, .controlProtocol, .serviceContract], c: [.unix],
      edges: [.files, .listening], libraries: [.nioCore, .nioPosix]),
    edge(
      .controlClient, uses: [.locationModel], and: [.jsonText, .controlProtocol], c: [.unix],
      edges: [.files]),
    edge(.settingsFiles, uses: [], and: [.jsonText], edges: [.files], libraries: [.yams]),
    edge(
      .stateStore, uses: [.geodesy, .locationModel],
      and: [.jsonText, .appLifecycle, .locationEngine, .controlProtocol, .serviceContract],
      edges: [.files],
      libraries: [.grdb]),
    edge(
      .recording, uses: [.locationModel],
      and: [.jsonText, .fixFormats, .locationEngine, .serviceContract, .serviceCore]),
    library(.dbus, package: "dbus-1", debian: "libdbus-1-dev"),
    edge(.threads, uses: [], and: [], c: [.unix], edges: [.files]),
    edge(.messageBus, uses: [], and: [], c: [.dbus], edges: [.threads]),
    edge(
      .modemCells, uses: [.seededRandom], and: [.serviceContract], edges: [.files, .messageBus, .threads]),
    edge(.clockWatch, uses: [], and: [], c: [.unix], edges: [.files, .threads]),
    edge(
      .deviceWatch, uses: [], and: [.serviceContract], c: [.unix], edges: [.files, .threads]),
    edge(.socketWatch, uses: [], and: [], c: [.unix], edges: [.files, .threads]),
    edge(
      .desktopNotifications, uses: [.locationModel], and: [], edges: [.messageBus, .threads]),
    edge(
      .networkWatch, uses: [], and: [.serviceContract], c: [.unix],
      edges: [.files, .messageBus, .threads]),
    edge(
      .geoClueBus, uses: [.geodesy, .locationModel, .seededRandom], and: [.jsonText, .serviceContract],
      edges: [.messageBus, .threads]),
    edge(.systemd, uses: [], and: [], edges: [.files]),
    library(.curl, package: "libcurl", debian: "libcurl4-openssl-dev"),
    edge(.httpClient, uses: [], and: [], c: [.curl, .unix], edges: [.threads]),
    library(.mosquitto, package: "libmosquitto", debian: "libmosquitto-dev"),
    library(.sodium, package: "libsodium", debian: "libsodium-dev"),
    edge(
      .sinks, uses: [.geodesy, .locationModel, .seededRandom],
      and: [.jsonText, .fixFormats, .gpxFormat, .controlProtocol, .settings, .serviceContract],
      c: [.mosquitto, .sodium, .unix], edges: [.files, .deviceWatch, .httpClient, .threads]),
    edge(
      .statusHTTP, uses: [.locationModel], and: [.jsonText, .controlProtocol, .serviceContract],
      edges: [.files, .listening], libraries: [.nioCore, .nioPosix, .nioHTTP1], excludes: ["Page"],
      plugins: ["EmbedFiles"]),
    edge(.terminalScreen, uses: [], and: [], edges: [.files]),
    .plugin(name: "EmbedFiles", capability: .buildTool(), path: "Sources/Plugins/EmbedFiles"),
    // Ring 3
    wiring(
      .daemonRuntime, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .fixFormats, .ground, .gpxFormat, .appLifecycle, .locationEngine,
        .controlProtocol, .settings, .radioPower, .radioWorld, .scoring, .replay, .reports,
        .wording,
        .serviceContract, .serviceCore,
      ],
      edges: [
        .files, .traceFiles, .gpsdSource, .appKeeping, .appSupervisor, .controlSocket,
        .controlClient, .settingsFiles, .stateStore, .recording, .modemCells, .clockWatch,
        .deviceWatch, .desktopNotifications, .socketWatch, .systemd, .sinks, .geoClueBus,
        .statusHTTP, .networkWatch, .threads,
      ],
      libraries: [.logging, .nioCore]),
    wiring(
      .locationClient, uses: [.geodesy, .locationModel, .seededRandom], and: [.jsonText, .controlProtocol],
      edges: [.controlClient]),
    .target(
      name: CLibrary.replayClock.rawValue, path: "Sources/C/\(CLibrary.replayClock.rawValue)"),
    wiring(
      .locationClientReplay, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .controlProtocol, .fixFormats, .appLifecycle, .locationEngine, .radioPower,
        .radioWorld,
        .scenarios, .replay, .wording, .serviceContract, .serviceCore,
      ],
      c: [.replayClock], edges: [.traceFiles], wiring: [.locationClient]),
    wiring(.coreLocation, uses: [], and: [], edges: [], wiring: [.locationClient]),
    wiring(
      .backgroundExecution, uses: [.locationModel], and: [], edges: [.controlClient],
      wiring: [.locationClient]),
    // Ring 4
    program(
      .milepost, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .fixFormats, .gpxFormat, .appLifecycle, .locationEngine, .controlProtocol,
        .androidPowerProfile, .radioPower, .radioWorld, .scenarios, .scoring, .replay, .reports,
        .settings, .wording, .serviceContract, .serviceCore, .anonymity, .ground,
      ],
      edges: [
        .files, .traceFiles, .appKeeping, .controlClient, .settingsFiles, .recording,
        .terminalScreen,
      ],
      libraries: [.argumentParser],
      excludes: ["Manual"]),
    library(.concurrency),
    program(
      .milepostd, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .fixFormats, .appLifecycle, .locationEngine, .controlProtocol, .settings,
        .radioPower, .radioWorld, .replay, .reports, .wording, .serviceContract, .serviceCore,
      ],
      c: [.concurrency],
      edges: [
        .files, .traceFiles, .gpsdSource, .appSupervisor, .controlSocket, .controlClient,
        .settingsFiles, .stateStore, .systemd, .terminalScreen,
      ], wiring: [.daemonRuntime],
      libraries: [.argumentParser, .logging, .nioCore, .nioPosix, .unixSignals],
      excludes: ["Manual"]),
    program(
      .filterLab, uses: [.locationModel],
      and: [
        .fixFormats, .jsonText, .locationEngine, .radioPower, .radioWorld, .replay, .reports,
        .scoring, .serviceCore, .settings,
      ], edges: [.files, .settingsFiles, .traceFiles], libraries: [.argumentParser]),
    program(.milepostKeeper, c: [.unix], edges: [.files, .appKeeping]),
    program(
      .locationExample, wiring: [.locationClient, .locationClientReplay],
      libraries: [.argumentParser]),
    program(.backgroundExample, wiring: [.backgroundExecution]),
    program(
      .simulateService, uses: [.locationModel], and: [.radioPower, .serviceSimulation],
      libraries: [.argumentParser], at: "Tests/simulate-service"),
    // Tests
    tests("Geodesy", of: [.geodesy]),
    tests("LocationModel", of: [.geodesy, .locationModel]),
    tests("JSONText", of: [.locationModel], [.jsonText]),
    tests("FixFormats", of: [.geodesy, .locationModel], [.fixFormats, .jsonText]),
    tests("GPXFormat", of: [.geodesy, .locationModel], [.fixFormats, .gpxFormat]),
    tests(
      "Anonymity", of: [.geodesy, .locationModel], [.fixFormats, .anonymity]),
    tests("Ground", of: [.geodesy], [.jsonText, .ground]),
    tests(
      "AndroidPowerProfile", of: [.locationModel],
      [.jsonText, .androidPowerProfile, .radioPower]),
    tests("AppLifecycle", of: [.locationModel], [.appLifecycle]),
    tests(
      "LocationEngine", of: [.geodesy, .locationModel], [.appLifecycle, .locationEngine]),
    tests("RadioPower", of: [.geodesy, .locationModel], [.radioPower, .jsonText]),
    tests("RadioWorld", of: [.geodesy, .locationModel], [.jsonText, .radioWorld]),
    tests(
      "Replay", of: [.geodesy, .locationModel],
      [
        .fixFormats, .appLifecycle, .locationEngine, .radioPower, .radioWorld, .scenarios, .scoring,
        .replay, .serviceContract, .serviceCore,
      ]),
    tests(
      "Scenarios", of: [.geodesy, .locationModel], [.jsonText, .settings, .scenarios],
      [.settingsFiles]),
    tests(
      "Scoring", of: [.geodesy, .locationModel], [.radioPower, .radioWorld, .scoring]),
    tests(
      "Reports", of: [.geodesy, .locationModel],
      [
        .jsonText, .fixFormats, .ground, .radioPower, .radioWorld, .locationEngine, .appLifecycle,
        .scoring, .replay, .scenarios, .controlProtocol, .reports, .settings, .wording,
        .serviceContract,
        .serviceCore,
      ]),
    tests(
      "TraceFiles", of: [.geodesy, .locationModel],
      [.jsonText, .fixFormats, .gpxFormat, .radioWorld],
      [.traceFiles]),
    tests(
      "Recording", of: [.geodesy, .locationModel],
      [
        .jsonText, .appLifecycle, .locationEngine, .controlProtocol, .radioPower, .settings,
        .serviceContract, .serviceCore,
      ], [.recording]),
    tests("ControlProtocol", of: [.geodesy, .locationModel], [.jsonText, .controlProtocol]),
    tests(
      "Settings", of: [.geodesy, .locationModel], [.jsonText, .settings], [.settingsFiles]),
    tests(
      "GPSDSource", of: [.geodesy, .locationModel], [.jsonText, .fixFormats, .serviceContract],
      [.gpsdSource],
      libraries: [.nioCore, .nioPosix]),
    tests(
      "AppSupervisor", of: [], [.jsonText, .serviceContract],
      [.files, .appKeeping, .appSupervisor],
      programs: [.milepostKeeper]),
    tests("ServiceSimulation", of: [.locationModel], [.radioPower, .serviceSimulation]),
    tests("Files", of: [], [], [.files]),
    tests("Systemd", of: [], [], [.systemd]),
    tests(
      "Sinks", of: [.geodesy, .locationModel],
      [
        .jsonText, .fixFormats, .gpxFormat, .controlProtocol, .settings, .serviceContract,
        .locationEngine, .radioPower, .serviceCore, .serviceSimulation,
      ],
      [.httpClient, .sinks], c: [.mosquitto], excludes: ["Servers"]),
    tests(
      "StatusHTTP", of: [.locationModel],
      [.jsonText, .controlProtocol, .serviceContract, .serviceCore],
      [.statusHTTP], libraries: [.nioCore, .nioPosix]),
    tests("ModemCells", of: [], [.serviceContract], [.messageBus, .modemCells], c: [.dbus]),
    tests(
      "NetworkWatch", of: [], [.serviceContract], [.networkWatch, .threads], c: [.dbus, .unix]),
    tests("ClockWatch", of: [], [], [.clockWatch]),
    tests("DeviceWatch", of: [], [.serviceContract], [.deviceWatch]),
    tests("SocketWatch", of: [], [], [.socketWatch], c: [.unix]),
    tests("DesktopNotifications", of: [.locationModel], [], [.desktopNotifications], c: [.dbus]),
    tests(
      "GeoClueBus", of: [.geodesy, .locationModel], [.serviceContract],
      [.geoClueBus, .messageBus]),
    tests(
      "ControlSocket", of: [.geodesy, .locationModel],
      [.jsonText, .controlProtocol, .serviceContract],
      [.controlSocket, .controlClient], libraries: [.nioCore, .nioPosix]),
    tests(
      "StateStore", of: [.geodesy, .locationModel],
      [
        .jsonText, .appLifecycle, .locationEngine, .controlProtocol, .serviceContract,
        .serviceSimulation,
      ],
      [.stateStore],
      libraries: [.grdb]),
    tests(
      "LocationClient", of: [.geodesy, .locationModel], [.jsonText, .controlProtocol],
      [.controlClient], wiring: [.locationClient, .locationClientReplay]),
    tests("CoreLocation", wiring: [.coreLocation]),
    tests(
      "BackgroundExecution", of: [.geodesy, .locationModel], [.jsonText, .controlProtocol],
      wiring: [.backgroundExecution, .locationClient, .locationClientReplay],
      programs: [.backgroundExample]),
    tests(
      "ServiceCore", of: [.geodesy, .locationModel],
      [
        .jsonText, .appLifecycle, .locationEngine, .controlProtocol, .settings, .radioPower,
        .serviceContract, .serviceCore, .serviceSimulation,
      ]),
    tests(
      "DaemonRuntime", of: [.geodesy, .locationModel],
      [
        .jsonText, .appLifecycle, .locationEngine, .controlProtocol, .settings, .radioPower,
        .wording, .serviceContract, .serviceCore,
      ],
      [
        .gpsdSource, .appKeeping, .appSupervisor, .controlSocket, .stateStore, .modemCells,
        .deviceWatch, .desktopNotifications,
      ],
      wiring: [.daemonRuntime]),
    tests(
      "Live", of: [.geodesy, .locationModel],
      [
        .jsonText, .fixFormats, .appLifecycle, .locationEngine, .controlProtocol, .settings,
        .radioPower, .scenarios, .replay, .serviceContract, .serviceCore,
      ],
      [.controlClient, .traceFiles, .recording, .stateStore],
      wiring: [.daemonRuntime, .backgroundExecution, .locationClientReplay],
      programs: [.milepost, .milepostd, .milepostKeeper, .locationExample, .backgroundExample],
      excludes: ["Apps"]),
    hostileInput([
      HostileFamily(name: "JSON", logic: [.jsonText]),
      HostileFamily(
        name: "Traces", values: [.geodesy, .locationModel], logic: [.fixFormats, .gpxFormat],
        edges: [.traceFiles]),
      HostileFamily(name: "Ground", values: [.geodesy], logic: [.jsonText, .ground]),
      HostileFamily(
        name: "Energy", values: [.geodesy, .locationModel],
        logic: [.jsonText, .androidPowerProfile, .radioPower, .radioWorld]),
      HostileFamily(
        name: "Settings", logic: [.jsonText, .scenarios, .serviceContract, .settings],
        edges: [.settingsFiles, .sinks]),
      HostileFamily(
        name: "Protocols", values: [.locationModel],
        logic: [.controlProtocol, .jsonText, .serviceContract, .serviceCore],
        edges: [.files, .gpsdSource]),
      HostileFamily(
        name: "Answers", values: [.geodesy, .locationModel], logic: [.serviceContract],
        edges: [.httpClient, .sinks]),
      HostileFamily(
        name: "Machine", values: [.geodesy, .locationModel], logic: [.serviceContract],
        edges: [.deviceWatch, .geoClueBus, .messageBus, .modemCells, .statusHTTP], c: [.dbus]),
      HostileFamily(
        name: "Kept", values: [.geodesy, .locationModel],
        logic: [
          .controlProtocol, .locationEngine, .radioPower, .serviceContract, .serviceCore,
          .settings,
        ],
        edges: [.recording, .stateStore], libraries: [.grdb]),
      HostileFamily(
        name: "Partials", values: [.locationModel],
        logic: [
          .jsonText, .locationEngine, .radioPower, .replay, .reports, .scoring, .serviceCore,
        ],
        edges: [.traceFiles]),
    ]),
    tests("Architecture"),
    tests(
      "CommandLine", of: [.geodesy, .locationModel],
      [.jsonText, .controlProtocol, .radioPower, .settings, .serviceCore], [.files],
      programs: [.milepost, .milepostd, .filterLab], excludes: ["Golden", "Schemas"]),
  ],
  swiftLanguageModes: [.v6]
)
