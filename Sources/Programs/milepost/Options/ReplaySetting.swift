// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocationEngine
import RadioPower
import Replay
import ServiceCore

/// All settings of a replay besides its trace: device and network, world, reading.
struct ReplaySetting: ParsableArguments {
  @OptionGroup(title: "Profile options") var profiles: ProfileOptions
  @OptionGroup(title: "World options") var world: WorldOptions
  @OptionGroup(title: "Reading options") var reading: ReadingOptions

  /// The files that are read besides the traces and their truth.
  var files: [String?] { world.files + profiles.files }

  /// A scenario's own era overrides the usual one; `--era` overrides both. One of Android is on a phone of Android.
  func options(playing scenario: Scenario? = nil) throws -> ReplayOptions {
    var profiles = profiles
    if scenario?.android != nil, profiles.profile == ProfileLibrary.defaultDevice {
      profiles.profile = ProfileLibrary.defaultAndroidPhone
    }
    var options = try profiles.options(in: world)
    if options.device.platform == .phone, options.device.system.isAndroid, world.namesEra {
      throw ValidationError(
        "--era has rules of iOS, and \(options.device.name) is a phone of Android: leave one of them out"
      )
    }
    if world.era == nil, let era = scenario?.era { options.rules.era = era }
    return options
  }
}
