// SPDX-License-Identifier: Apache-2.0

// UIKit's API for an app's life cycle and background work. There are no views here.
@_exported public import LocationClient
