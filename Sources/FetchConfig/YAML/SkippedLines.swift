/// The lines of a file that were left out of a text. With them, places in the text are reported as
/// places in the file.
struct SkippedLines {
  /// The gaps in the order of the text, each with the first line of the text after the gap, and
  /// with the number of all lines left out before that line.
  private var gaps: [(line: Int, count: Int)] = []

  /// Notes that `count` lines of the file in all are left out before a line of the text. Calls must
  /// be in the order of the text.
  mutating func note(_ count: Int, before line: Int) {
    if count > gaps.last?.count ?? 0 { gaps.append((line, count)) }
  }

  /// Returns the line in the file for a line of the text. Both are counted from 1.
  func lineInFile(_ line: Int) -> Int {
    var (low, high) = (0, gaps.count)
    while low < high {
      let middle = (low + high) / 2
      if gaps[middle].line <= line { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? line : line &+ gaps[low - 1].count
  }
}
