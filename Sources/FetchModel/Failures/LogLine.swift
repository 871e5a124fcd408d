import FetchValues

/// A line in the log of a run or of a call to a hook file. The line comes from the plugin, from a
/// hook file or from fetchrun itself.
package struct LogLine: Equatable, Sendable {
  package enum Level: String, Sendable, CaseIterable {
    case debug, info, warning, error
  }

  package var level: Level
  package var message: String

  package init(_ level: Level, _ message: String) {
    self.level = level
    self.message = message
  }
}

extension LogLine {
  /// Merges repeated lines into their first occurrence and appends the number of occurrences: `…
  /// (40 times)`.
  package static func counted(_ lines: [LogLine]) -> [LogLine] {
    if lines.count < 2 { return lines }
    struct Key: Hashable {
      var level: Level
      var message: ExactText
    }
    var counts: [Key: Int] = [:]
    var keys: [Key] = []
    for line in lines {
      let key = Key(level: line.level, message: ExactText(line.message))
      let count = counts[key, default: 0]
      if count == 0 { keys.append(key) }
      counts[key] = count + 1
    }
    if keys.count == lines.count { return lines }
    return keys.map { key in
      let count = counts[key] ?? 1
      return LogLine(
        key.level, count > 1 ? "\(key.message.text) (\(count) times)" : key.message.text)
    }
  }
}
