// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The house has rings; an arrow points inwards, or to a neighbour of the same ring where that is said,
// never outwards. Each ring is an enumeration, so that a target of an inner ring that asks for an outer
// one does not compile, and the rings can be read here, and in the folders of Sources.
// `swift build --explicit-target-dependency-import-check error` and ArchitectureTests do the rest.

/// Ring 0: values. No Foundation, no clock, no file, no socket.
enum Value: String, CaseIterable {
  /// Where points are on WGS-84, how far apart, in which direction.
  case geodesy = "Geodesy"
  /// What a fix, a request, an app, a place, an era and a delivery are, with their units.
  case locationModel = "LocationModel"
}

/// Ring 1: logic. Pure functions and plain structs over ring 0; still no I/O.
enum Logic: String, CaseIterable {
  /// JSON and tables of fields: how each type is written and read.
  case jsonText = "JSONText"
  /// Bytes to fixes and back: NMEA, GPX, gpsd, GeoJSON, CSV; traces made anonymous; maps to draw on.
  case fixFormats = "FixFormats"
  /// Which app gets which fix, and why not: life cycle, gates, services, policies.
  case locationEngine = "LocationEngine"
  /// The messages between the service and its clients.
  case controlProtocol = "ControlProtocol"
  /// What the service is told and answers: settings, inputs, effects, and the words for its states.
  case serviceContract = "ServiceContract"
  /// What the service decides about apps, processes, outboxes and sinks.
  case serviceCore = "ServiceCore"
  /// The service among seeded faults, in virtual time. Only tests use it.
  case serviceSimulation = "ServiceSimulation"
  /// Energy from a device's profile and its radios' activity.
  case radioPower = "RadioPower"
  /// A life over a trace in virtual time: truth, simulated world, run, score; scenarios.
  case replay = "Replay"
  /// What commands print, draw and give to programs.
  case reports = "Reports"
}

/// Ring 2: edges. One kind of input or output each, over rings 0 and 1; an edge may use another one.
enum Edge: String, CaseIterable {
  /// The machine: files, threads, its clock, sockets' owners, systemd, the terminal.
  case host = "Host"
  /// Traces, recordings and maps as files.
  case traceFiles = "TraceFiles"
  /// Positions from gpsd.
  case gpsdSource = "GPSDSource"
  /// Apps as processes, and the keeper that stays with each.
  case appKeeping = "AppKeeping"
  /// What others connect to: the control socket, gpsd's protocol, the live page.
  case servers = "Servers"
  /// A connection to the service.
  case controlClient = "ControlClient"
  /// Configuration, manifests and scenarios as files.
  case settingsFiles = "SettingsFiles"
  /// What survives a restart, in SQLite.
  case stateStore = "StateStore"
  /// D-Bus: the modem's cells, GeoClue's clients, notifications, the network.
  case messageBus = "MessageBus"
  /// The kernel's word on battery, external power and memory.
  case deviceWatch = "DeviceWatch"
  /// Where events are sent: HTTP, MQTT, files.
  case sinks = "Sinks"
}

/// Ring 3: wiring. Edges, engine and the real clock put together: the engine's instants are read from a clock here and
/// nowhere else.
enum Wiring: String {
  /// The service at work: takes inputs from the edges, and performs its effects in order.
  case daemonRuntime = "DaemonRuntime"
}

/// Ring 3 too: what apps import.
enum Apple: String {
  /// The service from an app's side, and Core Location's interface over it.
  case locationClient = "LocationClient"
  /// The same app over a recorded trace, for its tests.
  case locationClientReplay = "LocationClientReplay"
  /// `import CoreLocation` on Linux.
  case coreLocation = "CoreLocation"
  /// UIKit's and BackgroundTasks' interface for what an app does in the background.
  case backgroundExecution = "BackgroundExecution"
}

/// Ring 4: programs. They parse, run what the rings give, and answer with an exit code.
enum Program: String {
  /// The command line.
  case milepost = "milepost"
  /// The service.
  case milepostd = "milepostd"
  /// Stays with one app: starts, freezes and ends it, also when the service has died.
  case milepostKeeper = "milepost-keeper"
  /// Proves and fits the filter; for researchers, not packaged.
  case filterLab = "filter-lab"
  /// An app of `LocationClient`.
  case locationExample = "location-example"
  /// An app of `BackgroundExecution`.
  case backgroundExample = "background-example"
  /// Runs `ServiceSimulation` over many seeds. Only tests use it.
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
/// `MILEPOST_STRICT=1` makes warnings errors, as CI wants them; whoever builds with a newer compiler or library gets by.
let strict = Context.environment["MILEPOST_STRICT"] == "1"
let everywhere: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ] + (strict ? [.treatAllWarnings(as: .error)] : []) + fuzzed
let pure = everywhere + [.strictMemorySafety()]
/// Tests run against the programs and modules that ship. They themselves are compiled without optimisation, which would
/// take longer than it saves; nor is their module's interface, which nobody imports, compiled on its own.
let testing =
  everywhere + [
    .unsafeFlags(
      ["-Onone", "-index-ignore-system-modules", "-no-emit-module-separately-wmo"],
      .when(configuration: .release))
  ]
/// `MILEPOST_TESTS=EngineTests,…` leaves all other tests out of the package: who changes one room does not wait for the
/// tests of all. `Tools/test --filter` sets it.
let chosenTests = Context.environment["MILEPOST_TESTS"]?.split(separator: ",").map(String.init)

/// The dependencies of one target, by ring.
func needs(
  _ values: [Value] = [], _ logic: [Logic] = [], _ c: [CLibrary] = [], _ edges: [Edge] = [],
  _ wiring: [Wiring] = [], _ apple: [Apple] = [], _ libraries: [Library] = []
) -> [Target.Dependency] {
  let names =
    values.map(\.rawValue) + logic.map(\.rawValue) + c.map(\.rawValue) + edges.map(\.rawValue)
    + wiring.map(\.rawValue) + apple.map(\.rawValue)
  return names.map { .byName(name: $0) } + libraries.map(\.product)
}

func value(_ name: Value, uses values: [Value] = []) -> Target {
  .target(
    name: name.rawValue, dependencies: needs(values), path: "Sources/Values/\(name.rawValue)",
    swiftSettings: pure)
}

/// One that only tests and tools use lies below Tests, and is held to the same rules.
func logic(
  _ name: Logic, uses values: [Value], and logic: [Logic] = [], c: [CLibrary] = [],
  at path: String? = nil, excludes: [String] = [], plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name.rawValue, dependencies: needs(values, logic, c),
    path: path ?? "Sources/Logic/\(name.rawValue)", exclude: excludes,
    swiftSettings: pure, plugins: plugins)
}

func edge(
  _ name: Edge, uses values: [Value] = [], and logic: [Logic] = [], c: [CLibrary] = [],
  edges: [Edge] = [], libraries: [Library] = [], excludes: [String] = [],
  plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name.rawValue, dependencies: needs(values, logic, c, edges, [], [], libraries),
    path: "Sources/Edges/\(name.rawValue)", exclude: excludes,
    swiftSettings: everywhere,
    plugins: plugins)
}

/// A library of C: its name for pkg-config, and the Debian package that has it; neither where it is the system's own.
func library(_ name: CLibrary, package: String? = nil, debian: String? = nil) -> Target {
  .systemLibrary(
    name: name.rawValue, path: "Sources/C/\(name.rawValue)", pkgConfig: package,
    providers: debian.map { [.apt([$0])] })
}

func wiring(
  _ name: Wiring, uses values: [Value], and logic: [Logic], edges: [Edge], libraries: [Library]
) -> Target {
  .target(
    name: name.rawValue, dependencies: needs(values, logic, [], edges, [], [], libraries),
    path: "Sources/Wiring/\(name.rawValue)", swiftSettings: everywhere)
}

func apple(
  _ name: Apple, uses values: [Value] = [], and logic: [Logic] = [], c: [CLibrary] = [],
  edges: [Edge] = [], apple: [Apple] = []
) -> Target {
  .target(
    name: name.rawValue, dependencies: needs(values, logic, c, edges, [], apple),
    path: "Sources/Apple/\(name.rawValue)", swiftSettings: everywhere)
}

func program(
  _ name: Program, uses values: [Value] = [], and logic: [Logic] = [], c: [CLibrary] = [],
  edges: [Edge] = [], wiring: [Wiring] = [], apple: [Apple] = [], libraries: [Library] = [],
  at path: String? = nil, excludes: [String] = []
) -> Target {
  .executableTarget(
    name: name.rawValue, dependencies: needs(values, logic, c, edges, wiring, apple, libraries),
    path: path ?? "Sources/Programs/\(name.rawValue)", exclude: excludes,
    swiftSettings: everywhere)
}

func tests(
  _ name: String, of values: [Value] = [], _ logic: [Logic] = [], _ edges: [Edge] = [],
  c: [CLibrary] = [], wiring: [Wiring] = [], apple: [Apple] = [], programs: [Program] = [],
  libraries: [Library] = [], excludes: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: needs(values, logic, c, edges, wiring, apple, libraries)
      + programs.map { .byName(name: $0.rawValue) },
    path: "Tests/\(name)Tests", exclude: excludes, swiftSettings: testing)
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
    return needs(
      all(\.values), all(\.logic), all(\.c), all(\.edges), [], [], all(\.libraries))
  }
}

/// All of it behind one entry each, with tests that read a small corpus; or one family as a program for a fuzzer.
func hostileInput(_ families: [HostileFamily]) -> Target {
  let path = "Tests/HostileInputTests"
  guard let family = families.first(where: { $0.name == fuzzedFamily }) else {
    return .testTarget(
      name: "HostileInputTests", dependencies: HostileFamily.dependencies(of: families), path: path,
      exclude: ["Corpus", "Dictionaries", "LibFuzzer"], swiftSettings: testing)
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
    // Ring 1
    library(.vector),
    logic(.jsonText, uses: [.geodesy, .locationModel], c: [.vector]),
    library(.expat, package: "expat", debian: "libexpat1-dev"),
    logic(.fixFormats, uses: [.geodesy, .locationModel], and: [.jsonText], c: [.expat]),
    logic(.locationEngine, uses: [.geodesy, .locationModel]),
    logic(.controlProtocol, uses: [.geodesy, .locationModel], and: [.jsonText]),
    logic(
      .radioPower, uses: [.geodesy, .locationModel], and: [.jsonText, .fixFormats], c: [.expat],
      excludes: ["Profiles"], plugins: ["EmbedFiles"]),
    logic(
      .serviceContract, uses: [.geodesy, .locationModel],
      and: [.jsonText, .locationEngine, .controlProtocol, .radioPower]),
    logic(
      .serviceCore, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .fixFormats, .locationEngine, .controlProtocol, .radioPower, .serviceContract,
      ]),
    logic(
      .serviceSimulation, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .locationEngine, .controlProtocol, .radioPower, .serviceContract, .serviceCore,
      ], at: "Tests/ServiceSimulation"),
    logic(
      .replay, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .fixFormats, .locationEngine, .controlProtocol, .radioPower, .serviceContract,
        .serviceCore,
      ]),
    logic(
      .reports, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .fixFormats, .locationEngine, .controlProtocol, .radioPower, .serviceContract,
        .serviceCore, .replay,
      ], excludes: ["Page"], plugins: ["EmbedFiles"]),
    // Ring 2
    library(.unix),
    edge(.host, c: [.unix]),
    edge(
      .traceFiles, uses: [.geodesy, .locationModel],
      and: [.jsonText, .fixFormats, .locationEngine, .serviceContract, .serviceCore, .replay],
      edges: [.host]),
    library(.gps, package: "libgps", debian: "libgps-dev"),
    edge(
      .gpsdSource, uses: [.geodesy, .locationModel],
      and: [.jsonText, .fixFormats, .serviceContract], c: [.gps], edges: [.host],
      libraries: [.nioCore, .nioPosix]),
    edge(
      .appKeeping, uses: [.locationModel], and: [.jsonText, .serviceContract], c: [.unix],
      edges: [.host]),
    edge(
      .servers, uses: [.locationModel], and: [.jsonText, .controlProtocol, .serviceContract],
      c: [.unix], edges: [.host], libraries: [.nioCore, .nioPosix, .nioHTTP1], excludes: ["Page"],
      plugins: ["EmbedFiles"]),
    edge(
      .controlClient, uses: [.locationModel], and: [.jsonText, .controlProtocol], c: [.unix],
      edges: [.host]),
    edge(.settingsFiles, and: [.jsonText], edges: [.host], libraries: [.yams]),
    edge(
      .stateStore, uses: [.geodesy, .locationModel],
      and: [.jsonText, .locationEngine, .controlProtocol, .serviceContract], edges: [.host],
      libraries: [.grdb]),
    library(.dbus, package: "dbus-1", debian: "libdbus-1-dev"),
    edge(
      .messageBus, uses: [.geodesy, .locationModel], and: [.jsonText, .serviceContract],
      c: [.dbus, .unix], edges: [.host]),
    edge(.deviceWatch, and: [.serviceContract], c: [.unix], edges: [.host]),
    library(.curl, package: "libcurl", debian: "libcurl4-openssl-dev"),
    library(.mosquitto, package: "libmosquitto", debian: "libmosquitto-dev"),
    library(.sodium, package: "libsodium", debian: "libsodium-dev"),
    edge(
      .sinks, uses: [.geodesy, .locationModel],
      and: [.jsonText, .fixFormats, .controlProtocol, .serviceContract],
      c: [.curl, .mosquitto, .sodium, .unix], edges: [.host, .deviceWatch]),
    .plugin(name: "EmbedFiles", capability: .buildTool(), path: "Sources/Plugins/EmbedFiles"),
    // Ring 3
    wiring(
      .daemonRuntime, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .fixFormats, .locationEngine, .controlProtocol, .radioPower, .serviceContract,
        .serviceCore, .replay, .reports,
      ],
      edges: [
        .host, .traceFiles, .gpsdSource, .appKeeping, .servers, .controlClient, .settingsFiles,
        .stateStore, .messageBus, .deviceWatch, .sinks,
      ], libraries: [.logging, .nioCore]),
    apple(
      .locationClient, uses: [.geodesy, .locationModel], and: [.jsonText, .controlProtocol],
      edges: [.controlClient]),
    .target(
      name: CLibrary.replayClock.rawValue, path: "Sources/C/\(CLibrary.replayClock.rawValue)"),
    apple(
      .locationClientReplay, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .fixFormats, .locationEngine, .controlProtocol, .radioPower, .serviceContract,
        .serviceCore, .replay,
      ], c: [.replayClock], edges: [.traceFiles], apple: [.locationClient]),
    apple(.coreLocation, apple: [.locationClient]),
    apple(
      .backgroundExecution, uses: [.locationModel], edges: [.controlClient],
      apple: [.locationClient]),
    // Ring 4
    program(
      .milepost, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .fixFormats, .locationEngine, .controlProtocol, .radioPower, .serviceContract,
        .serviceCore, .replay, .reports,
      ],
      edges: [.host, .traceFiles, .appKeeping, .controlClient, .settingsFiles],
      libraries: [.argumentParser], excludes: ["Manual"]),
    library(.concurrency),
    program(
      .milepostd, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .fixFormats, .locationEngine, .controlProtocol, .radioPower, .serviceContract,
        .serviceCore, .replay, .reports,
      ],
      c: [.concurrency],
      edges: [
        .host, .traceFiles, .gpsdSource, .appKeeping, .servers, .controlClient, .settingsFiles,
        .stateStore,
      ], wiring: [.daemonRuntime],
      libraries: [.argumentParser, .logging, .nioCore, .nioPosix, .unixSignals],
      excludes: ["Manual"]),
    program(
      .filterLab, uses: [.geodesy, .locationModel],
      and: [
        .jsonText, .fixFormats, .locationEngine, .radioPower, .serviceContract, .serviceCore,
        .replay, .reports,
      ], edges: [.host, .settingsFiles, .traceFiles], libraries: [.argumentParser]),
    program(.milepostKeeper, c: [.unix], edges: [.host, .appKeeping]),
    program(
      .locationExample, apple: [.locationClient, .locationClientReplay],
      libraries: [.argumentParser]),
    program(.backgroundExample, apple: [.backgroundExecution]),
    program(
      .simulateService, uses: [.locationModel], and: [.radioPower, .serviceSimulation],
      libraries: [.argumentParser], at: "Tests/simulate-service"),
    // Tests
    tests("Values", of: [.geodesy, .locationModel]),
    tests("Formats", of: [.geodesy, .locationModel], [.jsonText, .fixFormats], [.traceFiles]),
    tests("Engine", of: [.geodesy, .locationModel], [.locationEngine]),
    tests("Meter", of: [.geodesy, .locationModel], [.jsonText, .radioPower]),
    tests(
      "Replay", of: [.geodesy, .locationModel],
      [
        .jsonText, .fixFormats, .locationEngine, .controlProtocol, .radioPower, .serviceContract,
        .serviceCore, .replay,
      ], [.settingsFiles]),
    tests(
      "Reports", of: [.geodesy, .locationModel],
      [
        .jsonText, .fixFormats, .locationEngine, .controlProtocol, .radioPower, .serviceContract,
        .serviceCore, .replay, .reports,
      ]),
    tests(
      "Service", of: [.geodesy, .locationModel],
      [
        .jsonText, .fixFormats, .locationEngine, .controlProtocol, .radioPower, .serviceContract,
        .serviceCore, .serviceSimulation, .replay,
      ], [.traceFiles, .settingsFiles]),
    tests(
      "Edges", of: [.geodesy, .locationModel],
      [
        .jsonText, .fixFormats, .locationEngine, .controlProtocol, .radioPower, .serviceContract,
        .serviceCore, .serviceSimulation,
      ],
      [
        .host, .gpsdSource, .appKeeping, .servers, .controlClient, .stateStore, .messageBus,
        .deviceWatch, .sinks,
      ],
      c: [.dbus, .mosquitto, .unix], programs: [.milepostKeeper],
      libraries: [.nioCore, .nioPosix, .grdb], excludes: ["Sinks/Servers"]),
    tests(
      "Apple", of: [.geodesy, .locationModel], [.jsonText, .controlProtocol], [.controlClient],
      apple: [.locationClient, .locationClientReplay, .coreLocation, .backgroundExecution],
      programs: [.backgroundExample]),
    tests(
      "Live", of: [.geodesy, .locationModel],
      [
        .jsonText, .fixFormats, .locationEngine, .controlProtocol, .radioPower, .serviceContract,
        .serviceCore, .serviceSimulation, .replay,
      ], Edge.allCases, wiring: [.daemonRuntime],
      apple: [.backgroundExecution, .locationClientReplay],
      programs: [.milepost, .milepostd, .milepostKeeper, .locationExample, .backgroundExample],
      libraries: [.nioPosix], excludes: ["Apps"]),
    hostileInput([
      HostileFamily(name: "JSON", logic: [.jsonText]),
      HostileFamily(
        name: "Traces", values: [.geodesy, .locationModel], logic: [.fixFormats],
        edges: [.traceFiles]),
      HostileFamily(
        name: "Surveys", values: [.locationModel],
        logic: [.fixFormats, .jsonText, .replay, .reports],
        edges: [.traceFiles]),
      HostileFamily(name: "Ground", values: [.geodesy], logic: [.jsonText, .fixFormats]),
      HostileFamily(
        name: "Energy", values: [.geodesy, .locationModel],
        logic: [.jsonText, .radioPower, .replay]),
      HostileFamily(
        name: "Settings", logic: [.jsonText, .replay, .serviceContract],
        edges: [.settingsFiles, .sinks]),
      HostileFamily(
        name: "Protocols", values: [.locationModel],
        logic: [.controlProtocol, .jsonText, .serviceContract, .serviceCore],
        edges: [.host, .gpsdSource]),
      HostileFamily(
        name: "Answers", values: [.geodesy, .locationModel], logic: [.serviceContract],
        edges: [.sinks]),
      HostileFamily(
        name: "Machine", values: [.geodesy, .locationModel], logic: [.serviceContract],
        edges: [.deviceWatch, .messageBus, .servers], c: [.dbus]),
      HostileFamily(
        name: "Kept", values: [.geodesy, .locationModel],
        logic: [.controlProtocol, .locationEngine, .radioPower, .serviceContract, .serviceCore],
        edges: [.stateStore, .traceFiles], libraries: [.grdb]),
      HostileFamily(
        name: "Partials", values: [.locationModel],
        logic: [.jsonText, .locationEngine, .radioPower, .replay, .reports, .serviceCore],
        edges: [.traceFiles]),
    ]),
    tests("Architecture"),
    tests(
      "CommandLine", of: [.geodesy, .locationModel],
      [.jsonText, .controlProtocol, .radioPower, .serviceContract, .serviceCore], [.host],
      programs: [.milepost, .milepostd, .filterLab], excludes: ["Fleet", "Golden", "Schemas"]),
  ].filter { $0.type != .test || chosenTests?.contains($0.name) ?? true },
  swiftLanguageModes: [.v6]
)
