// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The registration of a program as an app: its command, its declarations, its requests.
package struct AppManifest: Sendable, Equatable, Codable {
  /// An `AppName`.
  package var name: String
  package var kind: Kind
  /// The program and its arguments. A relative path begins at `directory`; a name without a slash is
  /// looked for on PATH.
  ///
  /// Empty if there is none: for a sink, and for an app that only connects by itself.
  package var command: [String]
  package var environment: [String: String]
  /// The working directory of the command; the manifest's folder if none is stated.
  package var directory: String
  package var declaration: AppDeclaration
  /// The service started for it, without a request, whenever it is launched; a handler has one.
  package var service: Service?
  package var request: StandardRequest
  /// The places monitored for it, without a request, whenever it is launched.
  package var places = ManifestPlaces()
  /// The occasion of a launch without an event.
  package var launch: Launch
  /// Seconds that one run of a handler may take.
  package var timeout: Double
  /// The destination of its deliveries, for an app of the kind `sink`; `nil` for all others.
  package var sink: SinkSettings?
  /// Who says that it is there.
  package var origin = Origin.person

  /// The budget of a background task in the first era: the default of a handler.
  package static let usualTimeout = 600.0

  package enum Kind: String, Sendable, CaseIterable, Codable {
    /// A command that is run once for each event, with the event on stdin.
    case handler
    /// A process that holds a connection.
    case connected
    /// No process: its deliveries go to `sink`.
    case sink
  }

  /// Who registered an app.
  package enum Origin: String, Sendable, Codable {
    /// A person, with `milepost apps add`.
    case person
    /// The configuration names it, a sink: it comes and goes with that.
    case configuration
  }

  /// Whether it is one of the configuration's sinks.
  package var isConfigured: Bool { origin == .configuration }

  package enum Launch: String, Sendable, CaseIterable, Codable {
    /// When the daemon starts or the app is added: into the background at once.
    case atStart = "at_start"
    /// Only by the user (`milepost apps launch`), or by an event.
    case manual
  }

  package init(
    name: String, kind: Kind, command: [String], environment: [String: String] = [:],
    directory: String, declaration: AppDeclaration, service: Service?,
    request: StandardRequest = StandardRequest(), launch: Launch = .atStart,
    timeout: Double = usualTimeout, sink: SinkSettings? = nil
  ) {
    self.name = name
    self.kind = kind
    self.command = command
    self.environment = environment
    self.directory = directory
    self.declaration = declaration
    self.service = service
    self.request = request
    self.launch = launch
    self.timeout = timeout
    self.sink = sink
  }
}
