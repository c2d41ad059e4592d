// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol

/// A command that does one thing to one app.
protocol AppControlCommand: ParsableCommand {
  static var action: ClientMessage.AppControl { get }
  var target: ControlledApp { get }
}

extension AppControlCommand {
  func run() throws { try target.service.tell(.control(target.app, Self.action)) }
}

/// What those commands take.
struct ControlledApp: ParsableArguments {
  @Argument(help: "Name of a registered app.")
  var app: String

  @OptionGroup(title: "Service options") var service: ServiceOptions
}

extension Apps {
  /// `milepost apps launch APP`
  struct Launch: AppControlCommand {
    static let configuration = CommandConfiguration(abstract: "Start an app in the foreground.")
    static let action = ClientMessage.AppControl.launch
    @OptionGroup var target: ControlledApp
  }

  /// `milepost apps foreground APP`
  struct Foreground: AppControlCommand {
    static let configuration = CommandConfiguration(abstract: "Bring an app to the foreground.")
    static let action = ClientMessage.AppControl.foreground
    @OptionGroup var target: ControlledApp
  }

  /// `milepost apps background APP`
  struct Background: AppControlCommand {
    static let configuration = CommandConfiguration(
      abstract: "Send an app to the background, where it is suspended unless something holds it.")
    static let action = ClientMessage.AppControl.background
    @OptionGroup var target: ControlledApp
  }

  /// `milepost apps terminate APP`
  struct Terminate: AppControlCommand {
    static let configuration = CommandConfiguration(
      abstract: "End an app in order: it is told, then SIGTERM, then SIGKILL.")
    static let action = ClientMessage.AppControl.terminate
    @OptionGroup var target: ControlledApp
  }

  /// `milepost apps quit APP`
  struct Quit: AppControlCommand {
    static let configuration = CommandConfiguration(
      abstract: "End an app at once, as a swipe does.",
      discussion: "In the era ios7 nothing but its user launches it again.")
    static let action = ClientMessage.AppControl.quit
    @OptionGroup var target: ControlledApp
  }

  /// `milepost apps purge APP`
  struct Purge: AppControlCommand {
    static let configuration = CommandConfiguration(
      abstract: "End a suspended app as memory pressure does.")
    static let action = ClientMessage.AppControl.purge
    @OptionGroup var target: ControlledApp
  }

  /// `milepost apps release APP`
  struct Release: AppControlCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget the crashes of an app that is held, so that it is launched again.")
    static let action = ClientMessage.AppControl.release
    @OptionGroup var target: ControlledApp
  }
}
