/// The cheapest fetch times on a time grid. The cost of an item is its weighted wait, and the cost
/// of a fetch is its price.
///
/// Let A(t) be the number of items published from the start until t. Let W(t) be the weight of
/// waiting, summed from the start until t. Let M(t) be the sum of W at the publication times of
/// these items. A fetch at t after a fetch at s costs `price(t) + W(t) (A(t) - A(s)) - (M(t) -
/// M(s))`. The best s before t is therefore given by the lowest of several lines in W(t) with
/// falling slopes -A(s). A queue of the lines that can still be lowest gives the best s for all t
/// in O(n).
package struct FetchPlan {
  /// The grid indexes of the fetches, each 1 or more.
  package let fetches: [Int]

  /// Computes the cheapest fetch times. A place is an index of the time grid.
  ///
  /// - Parameters:
  ///   - items: the number of items published up to each place; the numbers never fall and begin
  ///     with 0.
  ///   - weights: the summed weight of waiting up to each place; the sums never fall.
  ///   - prices: the price of a fetch at each place.
  ///   - pending: the number of items that wait at the start.
  ///   - apart: the minimum number of places between two fetches, 1 or more.
  ///   - tail: the maximum number of places from the last fetch to the end of the grid.
  ///   - upkeep: the cost of each place after the last fetch.
  package init(
    items: [Double], weights: [Double], prices: [Double], pending: Double = 0, apart: Int = 1,
    tail: Int = 0, upkeep: Double = 0
  ) {
    let last = items.count - 1
    guard last >= 1, weights.count == items.count, prices.count == items.count else {
      fetches = []
      return
    }
    let apart = max(1, min(apart, last))
    var moments = [Double](repeating: 0, count: last + 1)
    for place in 1...last {
      moments[place] =
        moments[place - 1]
        + (items[place] - items[place - 1]) * (weights[place - 1] + weights[place]) / 2
    }
    var costs = [Double](repeating: 0, count: last + 1)
    var before = [Int](repeating: 0, count: last + 1)
    var slopes = [-(items[0] - pending)]
    var heights = [0.0]
    var places = [0]
    var head = 0
    for place in apart...last {
      let joining = place - apart
      if joining >= apart {
        let slope = -items[joining]
        let height = costs[joining] + moments[joining]
        while places.count - head >= 2,
          Self.isHidden(
            slopes[places.count - 2], heights[places.count - 2], slopes[places.count - 1],
            heights[places.count - 1], slope, height)
        {
          places.removeLast()
          slopes.removeLast()
          heights.removeLast()
        }
        places.append(joining)
        slopes.append(slope)
        heights.append(height)
      }
      let weight = weights[place]
      while head + 1 < places.count,
        heights[head + 1] + slopes[head + 1] * weight <= heights[head] + slopes[head] * weight
      { head += 1 }
      costs[place] =
        prices[place] + weight * items[place] - moments[place] + heights[head]
        + slopes[head] * weight
      before[place] = places[head]
    }
    var end = last
    var best = costs[last]
    var place = max(apart, last - max(tail, 0))
    while place < last {
      let cost = costs[place] + upkeep * Double(last - place)
      if cost < best { (best, end) = (cost, place) }
      place += 1
    }
    var path: [Int] = []
    while end > 0 {
      path.append(end)
      end = before[end]
    }
    fetches = path.reversed()
  }

  /// Whether the second of three lines with falling slopes is nowhere the lowest of the three.
  private static func isHidden(
    _ slope0: Double, _ height0: Double, _ slope1: Double, _ height1: Double, _ slope2: Double,
    _ height2: Double
  ) -> Bool {
    (height2 - height0) * (slope0 - slope1) <= (height1 - height0) * (slope0 - slope2)
  }
}
