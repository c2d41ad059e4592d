// SPDX-License-Identifier: Apache-2.0

import BackgroundExecution

/// An app that says what happens to it, a line at a time, and asks for time when it is put away. With the
/// argument `--overruns` it does not give the time back.
@main
final class Round: UIResponder, UIApplicationDelegate {
  private var task = UIBackgroundTaskIdentifier.invalid

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let reason = launchOptions?[.reason] as? CLLaunchReason
    say("launched by \(reason?.rawValue ?? "its user")")
    return true
  }

  func applicationDidBecomeActive(_ application: UIApplication) { say("active") }
  func applicationWillResignActive(_ application: UIApplication) { say("resigns") }

  func applicationDidEnterBackground(_ application: UIApplication) {
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

  /// On stdout, at once.
  private func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
