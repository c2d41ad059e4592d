// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import LocationModel
import ServiceContract

/// A command that performs one action on one app, named by the action's word.
struct AppControlCommand<Control: AppControl>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Control.action.rawValue, abstract: Control.about, discussion: Control.discussion)
  }

  @Argument(help: "Name of a registered app.")
  var app: String
  @OptionGroup(title: "Service options") var service: ServiceOptions

  func run() throws { try service.tellDaemon(.control(app, Control.action)) }
}

/// The action of such a command, and its help.
protocol AppControl {
  static var action: ClientMessage.AppControl { get }
  static var about: String { get }
  static var discussion: String { get }
}

extension AppControl {
  static var discussion: String { "" }
}

extension Apps {
  enum Launch: AppControl {
    static let action = ClientMessage.AppControl.launch
    static let about = "Start an app in the foreground."
  }

  enum Foreground: AppControl {
    static let action = ClientMessage.AppControl.foreground
    static let about = "Bring an app to the foreground."
  }

  enum Background: AppControl {
    static let action = ClientMessage.AppControl.background
    static let about =
      "Send an app to the background, where it is suspended unless something holds it."
  }

  enum Interrupt: AppControl {
    static let action = ClientMessage.AppControl.interrupt
    static let about = "Take the foreground from an active app for a moment, as a call does."
  }

  enum Resume: AppControl {
    static let action = ClientMessage.AppControl.resume
    static let about = "Give an interrupted app the foreground back."
  }

  enum Terminate: AppControl {
    static let action = ClientMessage.AppControl.terminate
    static let about = "End an app in order: it is told, then SIGTERM, then SIGKILL."
  }

  enum Quit: AppControl {
    static let action = ClientMessage.AppControl.quit
    static let about = "End an app at once, as a swipe does."
    static let discussion = "In the era ios7 nothing but its user launches it again."
  }

  enum Purge: AppControl {
    static let action = ClientMessage.AppControl.purge
    static let about = "End a suspended app as memory pressure does."
  }

  enum Release: AppControl {
    static let action = ClientMessage.AppControl.release
    static let about = "Forget the crashes of an app that is held, so that it is launched again."
  }

  /// `milepost apps send APP EVENT`
  struct Send: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "send",
      abstract:
        "Let something come in for an app: it is woken or launched where the rules allow that.",
      discussion: "Its log says what became of it: milepost apps log APP.")
    @Argument(help: "Name of a registered app.")
    var app: String
    @Argument(
      help: ArgumentHelp(stringLiteral: Figures.list(WakeReason.sent.map(\.rawValue), "or") + "."),
      transform: WakeReason.init(sent:))
    var event: WakeReason

    @OptionGroup(title: "Service options") var service: ServiceOptions

    func run() throws { try service.tellDaemon(.event(app, event)) }
  }

  /// `milepost apps device EVENT`
  struct Device: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "device",
      abstract: "Let something happen to the device as a whole.",
      usage: "milepost apps device [<options>] <event>",
      discussion: """
        low-power, full-power: Low Power Mode, in which nothing is fetched.
        refresh-off, refresh-on: the switch of background refresh.
        network-changed: apps whose socket is watched are woken.
        call, call-over: the app in front is interrupted, and nothing plays meanwhile.
        rebooted: as after a start of the device: no app runs, and those that start by themselves are started; \
        with --locked nothing is launched until it is unlocked.
        unlocked: for the first time since then.
        memory: so many --megabytes are needed; suspended apps are purged for it.
        """)

    enum Event: String, CaseIterable, ExpressibleByArgument {
      case lowPower = "low-power"
      case fullPower = "full-power"
      case refreshOff = "refresh-off"
      case refreshOn = "refresh-on"
      case networkChanged = "network-changed"
      case call
      case callOver = "call-over"
      case rebooted
      case unlocked
      case memory
    }

    @Argument(help: "What happens.")
    var event: Event
    @Option(
      number: "Megabytes that are needed, 0 to 1000000000 (default: 100).", "megabytes",
      read: { try Number.inside($0, 0...1e9) })
    var megabytes = 100.0
    @Flag(help: "With rebooted: nobody has unlocked it yet.")
    var locked = false

    @OptionGroup(title: "Service options") var service: ServiceOptions

    func run() throws {
      let happened: DeviceEvent =
        switch event {
        case .lowPower: .lowPower(true)
        case .fullPower: .lowPower(false)
        case .refreshOff: .backgroundRefresh(false)
        case .refreshOn: .backgroundRefresh(true)
        case .networkChanged: .networkChanged
        case .call: .call(true)
        case .callOver: .call(false)
        case .rebooted: .rebooted(isLocked: locked)
        case .unlocked: .unlocked
        case .memory: .memoryNeeded(megabytes: megabytes)
        }
      try service.tellDaemon(.device(happened))
    }
  }
}

extension WakeReason {
  /// The events that can be sent to an app: all that come neither from the device's position nor from its boot.
  fileprivate static let sent: [WakeReason] = [
    .push, .locationPush, .fetch, .keepAlive, .socket, .newsstand, .accessory, .bluetooth,
  ]

  fileprivate init(sent word: String) throws {
    guard let reason = Self.sent.first(where: { $0.rawValue == word }) else {
      let words = Self.sent.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("'\(word)' cannot be sent; there are \(words)")
    }
    self = reason
  }
}
