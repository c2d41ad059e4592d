// SPDX-License-Identifier: Apache-2.0

// Lets sources with `import CoreLocation`, and `#if canImport(CoreLocation)`, build on Linux unchanged.
@_exported public import LocationClient
