import Foundation

/// A process and its descendants, as /proc shows them.
struct ProcessTree {
  let root: pid_t
  private(set) var peakSumBytes = 0
  /// The peak memory in bytes of the largest descendant.
  private(set) var peakChildBytes = 0
  private var rootSeconds = 0.0
  private var secondsByChild: [pid_t: Double] = [:]

  init(root: pid_t) { self.root = root }

  var childrenSeconds: Double { secondsByChild.values.reduce(0, +) }
  var allSeconds: Double { rootSeconds + childrenSeconds }

  mutating func sample() {
    var sum = Self.residentBytes(of: root)
    rootSeconds = Self.cpuSeconds(of: root) ?? rootSeconds
    for child in Self.descendants(of: root) {
      let bytes = Self.residentBytes(of: child)
      sum += bytes
      peakChildBytes = max(peakChildBytes, bytes)
      if let seconds = Self.cpuSeconds(of: child) { secondsByChild[child] = seconds }
    }
    peakSumBytes = max(peakSumBytes, sum)
  }

  static func descendants(of process: pid_t) -> [pid_t] {
    let tasks =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    let children = tasks.flatMap { task in
      text("/proc/\(process)/task/\(task)/children").split(separator: " ").compactMap { pid_t($0) }
    }
    return children + children.flatMap { descendants(of: $0) }
  }

  static func residentBytes(of process: pid_t) -> Int {
    let fields = text("/proc/\(process)/statm").split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }

  /// Returns the sum of user and system time of a process; nil if there is no such process. The
  /// name in parentheses before these values may contain spaces.
  static func cpuSeconds(of process: pid_t) -> Double? {
    let line = text("/proc/\(process)/stat")
    guard let end = line.lastIndex(of: ")") else { return nil }
    let fields = line[end...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
      return nil
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private static func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { buffer in
      String(decoding: buffer[..<fread(buffer.baseAddress, 1, buffer.count, file)], as: UTF8.self)
    }
  }
}
