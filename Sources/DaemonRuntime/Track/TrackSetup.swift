// SPDX-License-Identifier: Apache-2.0

package import FixFormats
package import LocationModel
import ServiceContract
package import Settings

/// The setup of a track: the mode, and where it goes.
package struct TrackSetup: Sendable {
  package var configuration: DaemonConfiguration
  package var mode: Service
  package var request: StandardRequest
  /// A trace file of the deliveries; of all fixes where `observes`.
  package var output: (path: String, format: OutputFormat)?
  /// Every input of the service; gpsd's lines go beside it.
  package var recordingPath: String?
  /// Keeps the receiver on, whatever the mode asks.
  package var observes: Bool
  /// Ends after so many deliveries, or seconds; `nil` goes on until it is stopped.
  package var count: Int?
  package var duration: Double?
  /// Seconds after which the state is told again though nothing happened; `nil` where only events are.
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
