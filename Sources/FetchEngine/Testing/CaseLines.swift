package import FetchModel

/// What runs came to, as lines of `expected.jsonl`: for each run its items, what it logged, and its
/// outcome, one JSON object each. What differs from day to day is left out.
package struct CaseLines: Equatable, Sendable {
  package private(set) var lines: [String] = []

  package init() {}

  /// Of a file's text; blank lines are passed over. The error says which line is no JSON.
  package init(text: String) throws(Failure) {
    for (index, line) in UnifiedDiff.lines(text).enumerated() where !line.allSatisfy(\.isWhitespace)
    {
      do { lines.append(Self.line(try JSONReader.decode(String(line)))) } catch {
        throw Failure(.invalidValue, "line \(index + 1) is not JSON: \(error)")
      }
    }
  }

  /// Of the file, each line with its end.
  package var text: String { lines.map { $0 + "\n" }.joined() }

  mutating func append(_ report: RunReport) {
    for item in report.lines { lines.append(Self.line(of: item)) }
    for log in report.logs {
      lines.append(
        Self.line(["log": .string(log.level.rawValue), "message": .string(log.message)]))
    }
    lines.append(Self.line(Self.end(report.record.outcome)))
  }

  // MARK: Lines

  private static func line(of item: StoredItem) -> String {
    let members = (try? JSONReader.decode(item.json))?.objectValue?.members ?? []
    let kept = members.filter { !["sequence", "seenAt", "job"].contains($0.key) }
    return line(.object(ValueObject(kept.map { ($0.key, $0.value) })))
  }

  private static func end(_ outcome: Outcome) -> Value {
    switch outcome {
    case .newData(let counts):
      return [
        "outcome": "newData", "added": .integer(Int64(counts.added)),
        "updated": .integer(Int64(counts.updated)), "removed": .integer(Int64(counts.removed)),
      ]
    case .noData(let reason): return ["outcome": "noData", "reason": .string(reason.rawValue)]
    case .failed(let failure):
      var end = ValueObject([
        ("outcome", "failed"), ("code", .string(failure.code.rawValue)),
        ("message", .string(failure.message)), ("retryable", .bool(failure.retryable)),
      ])
      if let file = failure.file { end["file"] = .string(file) }
      return .object(end)
    }
  }

  /// Keys in order: Lua gives the fields of a table in any.
  private static func line(_ value: Value) -> String {
    (try? JSONWriter.text(value, options: .init(sortsKeys: true))) ?? "{}"
  }
}

extension CaseLines {
  /// From these to those, as a unified diff for people: one line a field; empty where nothing
  /// differs.
  package func diff(to other: CaseLines) -> String {
    UnifiedDiff.text(from: shown, to: other.shown)
  }

  private var shown: String {
    lines.flatMap(Self.shown).map { $0 + "\n" }.joined()
  }

  private static func shown(_ line: String) -> [String] {
    let members = (try? JSONReader.decode(line))?.objectValue?.members ?? []
    let kind = ["outcome", "log", "change"].first { kind in members.contains { $0.key == kind } }
    let head = members.first { $0.key == kind }.map { "\($0.key) \($0.value.displayText ?? "")" }
    let rest = members.filter { $0.key != kind && !$0.value.isNull }
    return [head ?? "?"] + rest.flatMap { shown($0.key, $0.value) }
  }

  private static func shown(_ key: String, _ value: Value) -> [String] {
    if key == "fields", case .object(let fields) = value {
      return fields.members.flatMap { shown($0.key, $0.value) }
    }
    let text = value.stringValue ?? line(value)
    let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
    if parts.count == 1 { return ["  \(key): \(text)"] }
    return ["  \(key):"] + parts.map { "    \($0)" }
  }
}
