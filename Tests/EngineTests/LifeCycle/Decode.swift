// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationEngine

func decode(_ text: String) throws -> AppLifecycle {
  try JSONDecoder().decode(AppLifecycle.self, from: Data(text.utf8))
}
