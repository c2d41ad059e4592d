// SPDX-License-Identifier: Apache-2.0

// Holds one app for milepostd: `milepost-keeper APP DIRECTORY`, with the daemon's connection as
// descriptor 3, the start order as 4, and the app's input as 5 if there is one. The theory is in
// AppKeeping/KeeperMachine.swift. It has one thread, waits without time limits, and runs on when
// its daemon is gone.

import Glibc

let arguments = CommandLine.arguments
guard arguments.count == 3, fcntl(Keeper.daemonDescriptor, F_GETFD) >= 0 else {
  let text = "milepost-keeper: error: milepostd starts this program; by hand it is of no use\n"
  _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  exit(2)
}
guard let keeper = Keeper(app: arguments[1], directory: arguments[2]) else { exit(2) }
keeper.run()
