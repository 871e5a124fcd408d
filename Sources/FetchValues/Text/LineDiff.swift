/// The difference between two lists of lines: runs of kept, removed and added lines.
///
/// The algorithm is the basic form of Myers, "An O(ND) Difference Algorithm and Its Variations"
/// (1986). It compares only the lines between the common lines at the beginning and at the end.
package struct LineDiff: Equatable, Sendable {
  package enum Kind: Sendable { case kept, removed, added }

  /// A run of lines. `old` and `new` are ranges of line numbers, starting at 0. For a removed run,
  /// `new` is an empty range at the place of the removal. For an added run, `old` is an empty range
  /// at the place of the addition.
  package struct Run: Equatable, Sendable {
    package var kind: Kind
    package var old: Range<Int>
    package var new: Range<Int>
  }

  package private(set) var runs: [Run] = []

  /// The maximum number of differences. The memory grows with the square of this number. A text
  /// with more differences is shown as replaced from the first to the last different line.
  package static let differencesMax = 1000

  package init(old: [Substring], new: [Substring]) {
    let (oldIDs, newIDs) = Self.numbered(old, new)
    let prefix = zip(oldIDs, newIDs).prefix { $0 == $1 }.count
    let suffixMax = min(oldIDs.count, newIDs.count) - prefix
    let suffix = zip(oldIDs.reversed(), newIDs.reversed()).prefix(suffixMax).prefix { $0 == $1 }
      .count
    let oldMiddle = Array(oldIDs[prefix..<oldIDs.count - suffix])
    let newMiddle = Array(newIDs[prefix..<newIDs.count - suffix])

    append(.kept, oldCount: prefix, newCount: prefix)
    if let trace = MyersTrace(oldMiddle, newMiddle, differencesMax: Self.differencesMax) {
      for step in trace.steps {
        append(step.kind, oldCount: step.oldCount, newCount: step.newCount)
      }
    } else {
      append(.removed, oldCount: oldMiddle.count, newCount: 0)
      append(.added, oldCount: 0, newCount: newMiddle.count)
    }
    append(.kept, oldCount: suffix, newCount: suffix)
  }

  private mutating func append(_ kind: Kind, oldCount: Int, newCount: Int) {
    guard oldCount + newCount > 0 else { return }
    let oldStart = runs.last?.old.upperBound ?? 0
    let newStart = runs.last?.new.upperBound ?? 0
    if let last = runs.indices.last, runs[last].kind == kind {
      runs[last].old = runs[last].old.lowerBound..<oldStart + oldCount
      runs[last].new = runs[last].new.lowerBound..<newStart + newCount
    } else {
      runs.append(
        Run(
          kind: kind, old: oldStart..<oldStart + oldCount, new: newStart..<newStart + newCount))
    }
  }

  /// Returns a number for each line. Lines have the same number if and only if their bytes are
  /// equal, so that lines can be compared in one step.
  private static func numbered(
    _ old: [Substring], _ new: [Substring]
  ) -> (old: [Int32], new: [Int32]) {
    var numbers: [[UInt8]: Int32] = [:]
    func number(_ line: Substring) -> Int32 {
      let next = Int32(truncatingIfNeeded: numbers.count)
      return numbers.withValue(for: Array(line.utf8), default: next)
    }
    return (old.map(number), new.map(number))
  }
}

extension Dictionary {
  fileprivate mutating func withValue(for key: Key, default value: Value) -> Value {
    if let present = self[key] { return present }
    self[key] = value
    return value
  }
}

/// The shortest path of removals and additions from one list to another.
struct MyersTrace {
  struct Step {
    var kind: LineDiff.Kind
    var oldCount: Int
    var newCount: Int
  }

  private(set) var steps: [Step] = []

  /// Finds the shortest path; nil if it needs more than `differencesMax` removals and additions.
  init?(_ old: [Int32], _ new: [Int32], differencesMax: Int) {
    let most = min(differencesMax, old.count + new.count)
    // `front[k + most + 1]` is the furthest place in `old` on diagonal k.
    var front = [Int32](repeating: 0, count: 2 * most + 3)
    var history: [ArraySlice<Int32>] = []
    for differences in 0...most {
      history.append(front[(most - differences)...(most + differences + 2)])
      for diagonal in stride(from: -differences, through: differences, by: 2) {
        let slot = diagonal + most + 1
        let isDown =
          diagonal == -differences
          || (diagonal != differences && front[slot - 1] < front[slot + 1])
        var x = Int(isDown ? front[slot + 1] : front[slot - 1] + 1)
        var y = x - diagonal
        while x < old.count, y < new.count, y >= 0, old[x] == new[y] {
          x += 1
          y += 1
        }
        front[slot] = Int32(truncatingIfNeeded: x)
        if x >= old.count && y >= new.count {
          walkBack(history, most: most, x: old.count, y: new.count)
          return
        }
      }
    }
    return nil
  }

  private mutating func walkBack(_ history: [ArraySlice<Int32>], most: Int, x: Int, y: Int) {
    var (x, y) = (x, y)
    var reversed: [Step] = []
    for differences in history.indices.reversed() {
      let front = history[differences]
      let diagonal = x - y
      let slot = diagonal + most + 1
      let isDown =
        diagonal == -differences || (diagonal != differences && front[slot - 1] < front[slot + 1])
      let previousDiagonal = isDown ? diagonal + 1 : diagonal - 1
      let previousX = differences == 0 ? 0 : Int(front[previousDiagonal + most + 1])
      let previousY = differences == 0 ? 0 : previousX - previousDiagonal
      let startX = differences == 0 ? 0 : (isDown ? previousX : previousX + 1)
      let kept = x - startX
      if kept > 0 { reversed.append(Step(kind: .kept, oldCount: kept, newCount: kept)) }
      if differences > 0 {
        reversed.append(
          isDown
            ? Step(kind: .added, oldCount: 0, newCount: 1)
            : Step(kind: .removed, oldCount: 1, newCount: 0))
      }
      (x, y) = (previousX, previousY)
    }
    steps = reversed.reversed()
  }
}
