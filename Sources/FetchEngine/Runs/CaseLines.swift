package import FetchModel
import FetchSchedule
package import FetchValues

/// The results of runs as lines of `expected.jsonl`: the items, transfers, file changes, log and
/// outcome of each run. Each line is a JSON object. The lines of items omit the sequence number,
/// `seenAt` and the job's name.
package struct CaseLines: Equatable, Sendable {
  package var lines: [String] = []

  package init() {}

  /// Reads the lines from the text of a file. Skips blank lines. Throws an error with the line's
  /// number if a line is not JSON.
  package init(text: String) throws(Failure) {
    for (index, line) in UnifiedDiff.lines(text).enumerated() where !line.allSatisfy(\.isWhitespace)
    {
      do { lines.append(Self.line(try JSONReader.decode(String(line)))) } catch {
        throw Failure(.invalidValue, "line \(index + 1) is not JSON: \(error)")
      }
    }
  }

  /// The text of the file. Each line ends with a line break.
  package var text: String { lines.map { $0 + "\n" }.joined() }

  package mutating func append(_ logs: [LogLine], _ outcome: Outcome) {
    for log in logs {
      lines.append(
        Self.line(["log": .string(log.level.rawValue), "message": .string(log.message)]))
    }
    lines.append(Self.line(Self.end(outcome)))
  }

  /// Returns the lines with a string replaced in each line, for example a path that differs between
  /// machines.
  package func replacing(_ text: String, with other: String) -> CaseLines {
    var copy = self
    copy.lines = lines.map { $0.replacing(text, with: other) }
    return copy
  }

  /// Adds the failure's line number, if it is known, to the outcome of the last run.
  package mutating func tellLine(of failure: Failure) {
    guard let number = failure.line, !lines.isEmpty,
      var end = Self.end(.failed(failure)).objectValue
    else { return }
    end["line"] = .integer(Int64(number))
    lines[lines.count - 1] = Self.line(.object(end))
  }

  /// The lines without the lines that have the key `change`, `transfer` or `sha256`.
  package var withoutItems: CaseLines {
    var copy = self
    copy.lines.removeAll { line in
      let value = try? JSONReader.decode(line)
      return ["change", "transfer", "sha256"].contains { value?[$0] != nil }
    }
    return copy
  }

  /// The logged warnings about mistakes in the plugin's code: a missing `return`, a table with
  /// fields that is used as a list, and texts that are not dates or addresses.
  package var mistakes: [String] {
    lines.compactMap { line in
      guard let value = try? JSONReader.decode(line), value["log"] == "warning",
        let message = value["message"]?.stringValue,
        message == RunConclusion.returnMissing || message.contains(Self.objectAsList)
          || message.hasSuffix(RunConclusion.dateUnread)
          || message.hasSuffix(RunConclusion.addressUnread)
      else { return nil }
      return message
    }
  }

  /// The part of a warning by which the warning is recognised. The C file fields.c writes the
  /// warning.
  private static let objectAsList = ": ipairs found no list entries in a table with the field"

  /// The message of the first failed run; nil if no run failed.
  package var failureMessage: String? {
    for line in lines {
      guard let value = try? JSONReader.decode(line), value["outcome"]?.stringValue == "failed"
      else {
        continue
      }
      return value["message"]?.stringValue ?? ""
    }
    return nil
  }

  // MARK: Lines

  package static func line(of item: StoredItem) -> String {
    let members = (try? JSONReader.decode(item.json))?.objectValue?.members ?? []
    let kept = members.filter { !["sequence", "seenAt", "job"].contains($0.key) }
    return line(.object(ValueObject(kept.map { ($0.key, $0.value) })))
  }

  package static func line(of transfer: TransferRequest) -> String {
    var object = ValueObject([
      ("transfer", .string(transfer.url)), ("to", .string(transfer.to.text)),
    ])
    if let size = transfer.size { object["size"] = .integer(size) }
    if let hash = transfer.sha256 { object["sha256"] = .string(Hexadecimal.text(of: hash)) }
    if let modified = transfer.modified { object["modified"] = .string(modified.description) }
    if let backup = transfer.backup { object["backup"] = .string(backup.text) }
    return line(.object(object))
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

  /// Returns a value as JSON. The keys are sorted, since Lua returns the fields of a table in any
  /// order.
  package static func line(_ value: Value) -> String {
    (try? JSONWriter.text(value, options: .init(sortsKeys: true))) ?? "{}"
  }
}

extension CaseLines {
  /// Returns the differences from these lines to `other` as a unified diff. Each field begins a new
  /// line. Returns an empty string if nothing differs.
  package func diff(to other: CaseLines) -> String {
    UnifiedDiff.text(from: shown, to: other.shown)
  }

  private var shown: String {
    let all = lines.map { (try? JSONReader.decode($0))?.objectValue?.members ?? [] }
    // Usually, the first item of a result is the newest, and is stored last. The diff therefore
    // reverses each sequence of items.
    var ordered: [[ValueObject.Member]] = []
    var items: [[ValueObject.Member]] = []
    for members in all {
      if members.contains(where: { $0.key == "change" }) {
        items.append(members)
      } else {
        ordered += items.reversed() + [members]
        items = []
      }
    }
    ordered += items.reversed()
    return ordered.flatMap(Self.shown).map { $0 + "\n" }.joined()
  }

  private static func shown(_ members: [ValueObject.Member]) -> [String] {
    let kind = ["outcome", "log", "change", "transfer", "file"].first { kind in
      members.contains { $0.key == kind }
    }
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
