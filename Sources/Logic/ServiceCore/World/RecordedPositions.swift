// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
package import ServiceContract

// Privacy of recordings. The engine decides where a position comes in what a zone hides, and its stand-in
// (`LocationEngine+Privacy`): everything stored, sent, logged or explained sees only what it let through. A recording
// holds the inputs: in it the stand-in replaces a position within a zone before anything else sees it, so that the
// recording decides the same again and holds no such place.

extension LocationService {
  /// Whether there are hidden places.
  package var hasZones: Bool { !settings.rules.zones.isEmpty }

  /// An input as a recorded service takes it: for a position within a zone its stand-in, whoever may see inside.
  package func withoutHidden(_ input: ServiceInput) -> ServiceInput {
    switch input {
    case .gpsd(let event): .gpsd(withoutHidden(event))
    case .radio(.fix(let fix)): .radio(.fix(withoutHidden(fix)))
    case .radio(.networkFix(let fix)): .radio(.networkFix(withoutHidden(fix)))
    case .radio(.networkPositionFailed), .radio(.cellChanged), .radio(.motionFelt), .radio(.signal),
      .radio(.activity), .began, .client, .manifest, .process, .sink, .modem, .geoClue, .machine,
      .settings, .refused, .timePassed, .stop:
      input
    }
  }

  /// The same for gpsd's events.
  package func withoutHidden(_ event: GPSDEvent) -> GPSDEvent {
    guard case .fix(let fix, let device) = event else { return event }
    return .fix(withoutHidden(fix), device: device)
  }

  private func withoutHidden(_ fix: Fix) -> Fix {
    settings.rules.zones.hiding(fix, last: engine.hiddenIn)?.standIn(for: fix) ?? fix
  }
}
