package import FetchModel
import FetchValues

/// The addition of jobs to the text of a config. The comments and the other keys in the text stay
/// unchanged.
package enum ConfigEdit {
  /// The reason why jobs cannot be added to a text.
  package struct Problem: Error, Equatable, CustomStringConvertible {
    package var description: String
  }

  /// Returns the text with the new jobs after the last job of `jobs:`. If the text is nil or blank,
  /// the result is the text of a new file. Its `defaults` have the rule `firstRun`, if there is
  /// one. Throws an error if the text has mistakes or an unusual form. Also throws an error if the
  /// result, parsed again, does not contain the old jobs and the new jobs.
  package static func adding(
    _ jobs: [NewJob], to text: String?, file: String, environment: [String: String],
    firstRun: FirstRunRule? = nil
  ) throws(Problem) -> String {
    func read(_ text: String) throws(Problem) -> [JobConfig] {
      let reading = ConfigReader.read(
        main: text, file: file, environment: environment, needsJobs: false)
      if let problem = reading.problems.first { throw Problem(description: problem.description) }
      return reading.config.jobs
    }
    let isNew = text?.allSatisfy(\.isWhitespace) ?? true
    let before = try isNew ? [] : read(text ?? "")
    let edited =
      try isNew
      ? defaults(firstRun) + "jobs:\n" + block(jobs, indent: 2)
      : inserted(jobs, into: text ?? "", file)
    let after = (try? read(edited)) ?? []
    guard after.count == before.count + jobs.count,
      zip(before, after).allSatisfy({ $0.isSame(as: $1) }),
      zip(jobs, after.dropFirst(before.count)).allSatisfy({ $0.isRead(as: $1) })
    else { throw unfit(jobs, file) }
    return edited
  }

  private static func defaults(_ firstRun: FirstRunRule?) -> String {
    firstRun.map { "defaults:\n  first_run: \($0.text)\n" } ?? ""
  }

  private static func block(_ jobs: [NewJob], indent: Int) -> String {
    jobs.map { $0.lines(indentedBy: indent).joined(separator: "\n") + "\n" }.joined()
  }

  private static func unfit(_ jobs: [NewJob], _ file: String) -> Problem {
    Problem(
      description: "cannot add jobs to \(file), which has an unusual form; add these lines under "
        + "`jobs`:\n" + block(jobs, indent: 2))
  }

  // MARK: Inserting

  private static func inserted(
    _ jobs: [NewJob], into text: String, _ file: String
  ) throws(Problem) -> String {
    guard let mapping = (try? NodeComposer.compose(text))?.mapping else { throw unfit(jobs, file) }
    // The text is split by bytes, because in Swift a line end of Windows (CR LF) is a single
    // character.
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    let lineEnd = lines[0].utf8.last == UInt8(ascii: "\r") && lines.count > 1 ? "\r" : ""
    let keys = mapping.map { (name: $0.key.string ?? "", line: $0.key.place.line - 1) }
    guard let place = keys.firstIndex(where: { $0.name == "jobs" }) else {
      let end = lastLine(of: lines, from: 0, to: lines.count) + 1
      let new = ["", "jobs:"] + newLines(jobs, indent: 2)
      insert(new, at: end, in: &lines, ending: lineEnd)
      return lines.joined(separator: "\n")
    }
    let start = keys[place].line
    let end = place + 1 < keys.count ? keys[place + 1].line : lines.count
    let indent: Int
    switch mapping[place].value {
    case .sequence(let list, let begun) where !list.isEmpty:
      indent = begun.column - 1
    default:
      // The line must be `jobs:` or `jobs: []`, with or without a comment.
      guard let opened = opened(lines[start]) else { throw unfit(jobs, file) }
      lines[start] = opened + (lines[start].utf8.last == UInt8(ascii: "\r") ? "\r" : "")
      indent = 2
    }
    let last = lastLine(of: lines, from: start, to: end)
    insert(newLines(jobs, indent: indent), at: last + 1, in: &lines, ending: lineEnd)
    return lines.joined(separator: "\n")
  }

  /// Inserts lines that end with `lineEnd`. At the end of the file, the last new line has no
  /// `lineEnd`, and the old last line gets one.
  private static func insert(
    _ new: [String], at index: Int, in lines: inout [String], ending lineEnd: String
  ) {
    var new = new.map { $0 + lineEnd }
    if index == lines.count {
      lines[index - 1] += lineEnd
      let last = new.removeLast()
      new.append(String(decoding: last.utf8.dropLast(lineEnd.utf8.count), as: UTF8.self))
    }
    lines.insert(contentsOf: new, at: index)
  }

  private static func newLines(_ jobs: [NewJob], indent: Int) -> [String] {
    jobs.flatMap { $0.lines(indentedBy: indent) }
  }

  /// Returns the index of the last line with content in the range; `start` if there is none. Blank
  /// lines, unindented comments and the mark `...` do not count as content.
  private static func lastLine(of lines: [String], from start: Int, to end: Int) -> Int {
    lines[start..<end].lastIndex { line in
      !line.allSatisfy(\.isWhitespace) && !line.hasPrefix("#") && !line.hasPrefix("...")
    } ?? start
  }

  private static func opened(_ line: String) -> String? {
    guard line.hasPrefix("jobs:") else { return nil }
    let line = line.utf8.last == UInt8(ascii: "\r") ? String(line.dropLast()) : line
    var rest = line.dropFirst("jobs:".count).drop { $0 == " " }
    if rest.hasPrefix("[") {
      rest = rest.dropFirst().drop { $0 == " " }
      guard rest.hasPrefix("]") else { return nil }
      rest = rest.dropFirst().drop { $0 == " " }
    }
    guard rest.isEmpty || rest.hasPrefix("#") else { return nil }
    return rest.isEmpty ? "jobs:" : "jobs: " + rest
  }
}
