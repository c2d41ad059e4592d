// SPDX-License-Identifier: Apache-2.0

package import FixFormats
package import LocationModel
package import ServiceContract

/// The setup of a track: its mode and its outputs.
package struct TrackSetup: Sendable {
  package var configuration: DaemonConfiguration
  package var mode: Service
  package var request: StandardRequest
  /// The trace file of deliveries, or with `observes` of all fixes.
  package var output: (path: String, format: OutputFormat)?
  /// The file for every input of the service; gpsd's lines go beside it.
  package var recordingPath: String?
  /// Keeps the receiver on, whatever the mode requests.
  package var observes: Bool
  /// The number of deliveries, or seconds, after which it ends; `nil` runs until it is stopped.
  package var count: Int?
  package var duration: Double?
  /// Seconds after which the state is reported without any event; `nil` reports only events.
  package var refresh: Double?
  package var release: String

  package init(
    configuration: DaemonConfiguration, mode: Service, request: StandardRequest = StandardRequest(),
    output: (path: String, format: OutputFormat)? = nil, recordingPath: String? = nil,
    observes: Bool = false, count: Int? = nil, duration: Double? = nil, refresh: Double? = nil,
    release: String
  ) {
    self.configuration = configuration
    self.mode = mode
    self.request = request
    self.output = output
    self.recordingPath = recordingPath
    self.observes = observes
    self.count = count
    self.duration = duration
    self.refresh = refresh
    self.release = release
  }
}
