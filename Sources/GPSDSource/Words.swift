// SPDX-License-Identifier: Apache-2.0

extension GPSDEvent.Link {
  package var text: String { "" }
  package var isForPeople: Bool { true }
}
extension GPSDEvent.Device { package var text: String { "" } }
extension GPSDEvent.Trouble { package var text: String { "" }; package var kind: String { "" } }
