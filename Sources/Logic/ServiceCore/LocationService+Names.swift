// SPDX-License-Identifier: Apache-2.0

package import LocationModel
import ServiceContract

extension LocationService {
  /// The name of an app: a port for gpsd clients has its device's, one that asks GeoClue its own; `nil` if it
  /// does not exist.
  package func name(of id: AppID) -> String? {
    apps[id]?.name ?? listeners[id]?.device ?? geoClue.apps[id]?.request.program
  }
}
