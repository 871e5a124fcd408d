/// The line-by-line difference of two texts, in the form of `diff -u` without file names.
package enum UnifiedDiff {
  /// The default number of lines around a change.
  package static let contextLinesDefault = 3

  /// Returns the hunks of the diff, with headers such as `@@ -1,3 +1,4 @@`; empty if all lines are
  /// equal. Lines end with LF or CRLF. Differences between line ends are ignored.
  package static func text(
    from old: String, to new: String, contextLines: Int = contextLinesDefault
  ) -> String {
    let oldLines = lines(old)
    let newLines = lines(new)
    let context = max(0, contextLines)
    var text = ""
    for hunk in hunks(LineDiff(old: oldLines, new: newLines).runs, context: context) {
      guard let first = hunk.first, let last = hunk.last else { continue }
      text += "@@ -\(span(first.old.lowerBound..<last.old.upperBound))"
      text += " +\(span(first.new.lowerBound..<last.new.upperBound)) @@\n"
      for run in hunk {
        switch run.kind {
        case .kept: for line in oldLines[run.old] { text += " \(line)\n" }
        case .removed: for line in oldLines[run.old] { text += "-\(line)\n" }
        case .added: for line in newLines[run.new] { text += "+\(line)\n" }
        }
      }
    }
    return text
  }

  /// Returns the lines of a text without their line ends. A line end at the end of the text does
  /// not begin another line.
  package static func lines(_ text: String) -> [Substring] {
    var lines: [Substring] = []
    let bytes = text.utf8
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      var lineEnd = end
      if end > start, bytes[bytes.index(before: end)] == UInt8(ascii: "\r"), end < bytes.endIndex {
        lineEnd = bytes.index(before: end)
      }
      lines.append(text[start..<lineEnd])
      start = end < bytes.endIndex ? bytes.index(after: end) : end
    }
    return lines
  }

  /// Returns the hunks. Each hunk has a group of changes, with up to `context` kept lines before
  /// and after the group. Changes with at most `2 * context` kept lines between them are in the
  /// same group.
  private static func hunks(_ runs: [LineDiff.Run], context: Int) -> [[LineDiff.Run]] {
    var hunks: [[LineDiff.Run]] = []
    var hunk: [LineDiff.Run] = []
    for (index, run) in runs.enumerated() {
      guard run.kind == .kept else {
        hunk.append(run)
        continue
      }
      let hasChangeBefore = !hunk.isEmpty
      let hasChangeAfter = index + 1 < runs.count
      let head = hasChangeBefore ? min(context, run.old.count) : 0
      let tail = hasChangeAfter ? min(context, run.old.count) : 0
      if hasChangeBefore && hasChangeAfter && run.old.count <= 2 * context {
        hunk.append(run)
        continue
      }
      if hasChangeBefore {
        if head > 0 { hunk.append(part(run, dropping: 0, count: head)) }
        hunks.append(hunk)
        hunk = []
      }
      if tail > 0 { hunk = [part(run, dropping: run.old.count - tail, count: tail)] }
    }
    if hunk.contains(where: { $0.kind != .kept }) { hunks.append(hunk) }
    return hunks
  }

  private static func part(_ run: LineDiff.Run, dropping: Int, count: Int) -> LineDiff.Run {
    let old = run.old.lowerBound + dropping
    let new = run.new.lowerBound + dropping
    return LineDiff.Run(kind: run.kind, old: old..<old + count, new: new..<new + count)
  }

  /// Returns the first line and the number of lines in the form of `diff -u`. For an empty range,
  /// the first line is the line before the range.
  private static func span(_ range: Range<Int>) -> String {
    let first = range.isEmpty ? range.lowerBound : range.lowerBound + 1
    return range.count == 1 ? "\(first)" : "\(first),\(range.count)"
  }
}
