// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CConcurrency
import DaemonRuntime
import Glibc
import Host
import JSONText
import LocationModel
import NIOCore
import NIOPosix

/// The service, and the commands that need gpsd and an engine on the real clock.
@main
struct Milepostd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "milepostd",
    abstract: "Background location as a service: gpsd in, apps frozen, woken and relaunched.",
    discussion: """
      The service waits for gpsd and for apps (milepost apps add); milepost status says what it does. \
      Without it, track follows gpsd in one mode and doctor says why there is no fix. Without a \
      subcommand it serves; its options: milepostd serve --help

        milepostd
        milepostd track --mode significant
        milepostd doctor
        milepostd config --check milepostd.yaml
      """,
    version: Release.version,
    subcommands: [Serve.self, Track.self, Doctor.self, Config.self],
    defaultSubcommand: Serve.self)

  static func main() async {
    // A reader that has gone away is an error of write(), not the program's end.
    signal(SIGPIPE, SIG_IGN)
    runTasksOnEventLoops()
    do {
      if CommandLineWords.given == nil { throw Complaint(CommandLineWords.unreadable) }
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      Exit(error, of: Self.self).exit()
    }
  }

  /// Dispatch would check its pool of workers every second for as long as the process lives. If a runtime has no such
  /// hook, all works as well, but with more wake-ups.
  private static func runTasksOnEventLoops() {
    NIOSingletons.groupLoopCountSuggestion = 2
    _ = take_jobs { job in
      // The loop on which the job was made, if it was one.
      let loop = MultiThreadedEventLoopGroup.singleton.any()
      loop.executor.enqueue(ExecutorJob(unsafeBitCast(job, to: UnownedJob.self)))
    }
  }
}
