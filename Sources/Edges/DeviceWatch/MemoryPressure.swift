// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
package import ServiceContract

/// The kernel's files about memory shortage (Documentation/accounting/psi.rst, proc(5)).
package enum MemoryPressure {
  package static let file = "/proc/pressure/memory"

  /// The trigger requested of the kernel: report when some program has waited this long for memory within a window,
  /// microseconds.
  ///
  /// A window of 1 s is for the privileged; others may have multiples of 2 s (Linux 6.4 on).
  static let triggers = ["some 150000 1000000", "some 300000 2000000"]

  /// Shares of the last 10 s, per cent, in which some programs, and all of them, waited for memory; `nil` if the text
  /// is not the kernel's format.
  package static func shares(in text: String) -> (some: Double, full: Double)? {
    guard let some = share("some", in: text), let full = share("full", in: text) else { return nil }
    return (some, full)
  }

  /// `some avg10=0.00 avg60=0.00 avg300=0.00 total=0`
  private static func share(_ kind: String, in text: String) -> Double? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.first == kind[...], words.count > 1, words[1].hasPrefix("avg10=") else {
        continue
      }
      guard let share = Double(words[1].dropFirst(6)), (0...100).contains(share) else { return nil }
      return share
    }
    return nil
  }

  /// The figures of /proc/meminfo; `nil` if one of the two lines is missing or is no number of kB.
  package static func reading(in text: String) -> MemoryReading? {
    guard let total = megabytes("MemTotal:", in: text),
      let available = megabytes("MemAvailable:", in: text)
    else { return nil }
    return MemoryReading(total: total, available: available)
  }

  private static func megabytes(_ name: String, in text: String) -> Double? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.first == name[...] else { continue }
      guard words.count == 3, words[2] == "kB", let kilobytes = UInt64(words[1]) else { return nil }
      return Double(kilobytes) / 1_024
    }
    return nil
  }

  /// A descriptor on which `poll` sees `POLLPRI` whenever memory is short, or the reason for a failure.
  static func descriptor(_ path: String = file) -> Result<Int32, PressureTrouble> {
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return .failure(PressureTrouble(code: errno)) }
    for trigger in triggers {
      // With the zero byte at its end, as in the kernel's own example.
      let bytes = Array(trigger.utf8) + [0]
      if write(descriptor, bytes, bytes.count) == bytes.count { return .success(descriptor) }
    }
    let code = errno
    close(descriptor)
    return .failure(PressureTrouble(code: code))
  }
}

/// The reason why memory pressure cannot be watched.
package enum PressureTrouble: Error, Sendable, Equatable {
  /// The kernel does not measure it.
  case absent
  /// The kernel measures it only with a boot option.
  case switchedOff
  /// This user may not request it: before Linux 6.4 only the privileged may.
  case forbidden
  case system(Int32)

  init(code: Int32) {
    self =
      switch code {
      case ENOENT, ENOTDIR: .absent
      case EOPNOTSUPP: .switchedOff
      case EACCES, EPERM, EINVAL, EROFS: .forbidden
      default: .system(code)
      }
  }

  /// The reason, to follow "memory pressure is not watched: ".
  package var words: String {
    switch self {
    case .absent: "this kernel does not count it (\(MemoryPressure.file) is not there)"
    case .switchedOff: "this kernel counts it only when it is started with psi=1"
    case .forbidden: "this user may not ask the kernel for it (before Linux 6.4 only root may)"
    case .system(let code): "\(MemoryPressure.file): \(SystemError.text(code))"
    }
  }
}
