// SPDX-License-Identifier: Apache-2.0

import JSONText
import RadioPower
import TraceFiles

/// A measurement of a device's power, in a file or on standard input.
enum MeasurementFile {
  case powerTrace(PowerTrace)
  case batteryStats(BatteryStatsDump)

  /// Reads a file of either kind. `volts` counts if a power trace states only currents.
  init(_ path: String, volts: Double?) throws {
    let name = InputName.short(path)
    var reader: PowerTraceReader?
    var text: [UInt8] = []
    var isFirst = true
    do {
      try UnpackedFile.forEachChunk(of: path) { chunk in
        if isFirst, PowerTraceReader.recognises(String(decoding: chunk, as: UTF8.self)) {
          reader = PowerTraceReader(volts: volts)
        }
        isFirst = false
        if reader != nil {
          try reader?.decode(Array(chunk).span)
        } else {
          text += chunk
          guard text.count <= BatteryStatsDump.sizeLimit else {
            throw Complaint("\(name): larger than 64 MB; \(Self.expected)")
          }
        }
      }
      if var reader {
        self = .powerTrace(try reader.finishTrace())
        return
      }
    } catch let error as InputError {
      throw Complaint(error, in: name)
    }
    let dump = String(decoding: text, as: UTF8.self)
    guard BatteryStatsDump.recognises(dump) else {
      throw Complaint("\(name): \(Self.expected)")
    }
    do throws(InputError) {
      self = .batteryStats(try BatteryStatsDump(dump))
    } catch {
      throw Complaint(error, in: name)
    }
  }

  private static let expected =
    "expected a power analyser's CSV (its first line is like \"Timestamp(ms),Current(uA)\" or "
    + "\"Time (s),Main Avg Current (mA)\") or what adb shell dumpsys batterystats prints"
}
