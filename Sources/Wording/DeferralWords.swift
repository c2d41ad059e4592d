// SPDX-License-Identifier: Apache-2.0

package import LocationModel

extension Deferral.End {
  /// Why updates are kept back no longer, for accounts and logs.
  package var words: String {
    switch self {
    case .finished: "its updates were kept back, and come now"
    case .cancelled: "its updates are kept back no longer"
    case .unsupported: "its updates are not kept back: its era knows no such thing"
    case .notUpdating: "its updates are not kept back: it has not started any"
    case .accuracyTooLow: "its updates are not kept back: it asks for less than the best accuracy"
    case .distanceFiltered: "its updates are not kept back: it has a distance filter"
    }
  }
}
