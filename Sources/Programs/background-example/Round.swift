// SPDX-License-Identifier: Apache-2.0

import BackgroundExecution

/// An app that requests time when it enters the background, and reports its events. With the argument `--overruns` it
/// does not return the time; with `--calls PORT` it waits for calls, lines on a TCP connection to that port of this
/// machine, while it is suspended too.
final class Round: UIResponder, UIApplicationDelegate {
  private var task = UIBackgroundTaskIdentifier.invalid
  /// The signalling socket; -1 without one.
  private var line: Int32 = -1

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let reason = launchOptions?[.reason] as? CLLaunchReason
    say("launched by \(reason?.rawValue ?? "its user")")
    if let port = Self.port {
      line = Self.connected(to: port)
      application.handOverSocket(line)
    }
    return true
  }

  /// Reads the data on the socket, reports it, and finishes.
  func application(
    _ application: UIApplication, didWakeFor reason: CLLaunchReason, seconds: TimeInterval?
  ) {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = recv(line, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    if count > 0 { say("call " + String(decoding: bytes[..<count].dropLast(), as: UTF8.self)) }
    CLLocationManager().finishWork()
  }

  func application(_ application: UIApplication, didFailToHandOverSocket error: any Error) {
    say("no calls: \(error)")
  }

  private static var port: UInt16? {
    guard let index = CommandLine.arguments.firstIndex(of: "--calls") else { return nil }
    return CommandLine.arguments.dropFirst(index + 1).first.flatMap { UInt16($0) }
  }

  private static func connected(to port: UInt16) -> Int32 {
    let line = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(line, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return line
  }

  func applicationDidBecomeActive(_ application: UIApplication) { say("active") }
  func applicationWillResignActive(_ application: UIApplication) { say("resigns") }

  func applicationDidEnterBackground(_ application: UIApplication) {
    // An app that waits for calls has nothing to finish.
    guard line < 0 else { return }
    task = application.beginBackgroundTask(withName: "round") { [weak self] in self?.expires() }
    say("background, \(Int(application.backgroundTimeRemaining.rounded(.up))) s left")
  }

  func applicationWillEnterForeground(_ application: UIApplication) { say("comes") }
  func applicationWillTerminate(_ application: UIApplication) { say("ends") }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler:
      @escaping @Sendable (UIBackgroundFetchResult) -> Void
  ) {
    say("push")
    completionHandler(.newData)
  }

  private func expires() {
    say("expires")
    guard !CommandLine.arguments.contains("--overruns") else { return }
    UIApplication.shared.endBackgroundTask(task)
    task = .invalid
  }

  private func say(_ line: String) { Example.say(line) }
}
