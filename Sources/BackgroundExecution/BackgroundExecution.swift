// SPDX-License-Identifier: Apache-2.0

// What UIKit has of an app's life and of its background, in UIKit's words. There are no views here.
@_exported public import LocationClient
