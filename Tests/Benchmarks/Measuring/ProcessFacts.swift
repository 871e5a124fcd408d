import Foundation

/// The kernel's facts about one process at one instant.
struct ProcessFacts {
  var residentBytes: Int
  var peakBytes: Int
  /// The resident anonymous memory in bytes, without files and shared memory.
  var ownBytes: Int
  /// The number of context switches of the process's present threads.
  var switches: Int

  /// Reads the facts; nil if there is no such process.
  init?(_ process: pid_t) {
    guard let own = Self.fields("/proc/\(process)/status"),
      let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
    else { return nil }
    residentBytes = own["VmRSS", default: 0] * 1024
    peakBytes = own["VmHWM", default: 0] * 1024
    ownBytes = own["RssAnon", default: 0] * 1024
    switches = threads.reduce(0) { sum, thread in
      let fields = Self.fields("/proc/\(process)/task/\(thread)/status") ?? [:]
      return sum + fields["voluntary_ctxt_switches", default: 0]
        + fields["nonvoluntary_ctxt_switches", default: 0]
    }
  }

  /// Returns the numbers in a file of lines `name: number unit`, by name. Lines whose value does
  /// not begin with a number are ignored.
  private static func fields(_ path: String) -> [String: Int]? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    var fields: [String: Int] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let word = parts[1].split(whereSeparator: \.isWhitespace).first
      else { continue }
      fields[String(parts[0])] = Int(word)
    }
    return fields
  }
}
