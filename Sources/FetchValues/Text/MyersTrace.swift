/// The shortest way from one list to another, found front by front and then walked backwards.
struct MyersTrace {
  struct Step {
    var kind: LineDiff.Kind
    var oldCount: Int
    var newCount: Int
  }

  private(set) var steps: [Step] = []

  /// Nil where more than `differencesMax` removals and additions are needed.
  init?(_ old: [Int32], _ new: [Int32], differencesMax: Int) {
    let most = min(differencesMax, old.count + new.count)
    // `front[k + most]`: how far in `old` the furthest path on diagonal k has come.
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
