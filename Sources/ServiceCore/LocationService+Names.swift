// SPDX-License-Identifier: Apache-2.0

package import LocationModel
import ServiceContract

extension LocationService {
  /// The name of an app: a port for gpsd clients has its device's, one that asks GeoClue the one it gives itself;
  /// `nil` for one that is not there.
  package func name(of id: AppID) -> String? {
    apps[id]?.name ?? listeners[id]?.device ?? geoClue.apps[id]?.request.program
  }
}
