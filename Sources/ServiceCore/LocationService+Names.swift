// SPDX-License-Identifier: Apache-2.0

package import LocationModel
import ServiceContract

extension LocationService {
  /// What an app is called, a port for gpsd clients by its device, one that asks GeoClue as it calls itself;
  /// `nil` for one that is not there.
  package func name(of id: AppID) -> String? {
    apps[id]?.name ?? listeners[id]?.device ?? geoClue.apps[id]?.request.program
  }
}
