import FetchSchedule
import FetchTestSupport
import Testing

/// Tests of the plan, compared with the cheapest of all possible plans.
@Suite struct FetchPlanTests {
  private struct Grid {
    var items: [Double]
    var weights: [Double]
    var prices: [Double]
    var pending: Double
    var apart: Int

    init(seed: UInt64, count: Int) {
      var generator = SeededGenerator(seed: seed)
      items = [0]
      weights = [0]
      prices = [0]
      for _ in 0..<count {
        items.append(items[items.count - 1] + Double.random(in: 0...2, using: &generator))
        weights.append(weights[weights.count - 1] + Double.random(in: 0...3, using: &generator))
        prices.append(Double.random(in: 0.5...8, using: &generator))
      }
      pending = Bool.random(using: &generator) ? 0 : Double.random(in: 0...5, using: &generator)
      apart = Int.random(in: 1...3, using: &generator)
    }

    func cost(_ fetches: [Int]) -> Double {
      var cost = 0.0
      var from = 0
      var waiting = pending
      for fetch in fetches {
        cost += prices[fetch] + waiting * weights[fetch]
        for place in from + 1...fetch {
          let middle = (weights[place - 1] + weights[place]) / 2
          cost += (items[place] - items[place - 1]) * (weights[fetch] - middle)
        }
        (from, waiting) = (fetch, 0)
      }
      return cost
    }

    /// The lowest cost of all plans whose last fetch is at the last place.
    var cheapest: Double {
      let last = items.count - 1
      var best = Double.infinity
      for bits in 0..<(1 << (last - 1)) {
        let fetches = (1..<last).filter { bits >> ($0 - 1) & 1 == 1 } + [last]
        let starts = [0] + fetches
        guard zip(starts, fetches).allSatisfy({ $1 - $0 >= apart }) else { continue }
        best = min(best, cost(fetches))
      }
      return best
    }
  }

  @Test(arguments: 0..<150) func `no other plan is cheaper`(seed: Int) {
    let grid = Grid(seed: UInt64(seed), count: 4 + seed % 8)
    let plan = FetchPlan(
      items: grid.items, weights: grid.weights, prices: grid.prices, pending: grid.pending,
      apart: grid.apart)
    #expect(plan.fetches.last == grid.items.count - 1)
    #expect(abs(grid.cost(plan.fetches) - grid.cheapest) < 1e-9)
  }

  @Test func `the interval of a steady source is the square root of the theory`() {
    // With rate 1, weight 1 and price 50 per fetch, the interval is sqrt(2 × 50 / 1) = 10 places.
    let places = (0...80).map(Double.init)
    let plan = FetchPlan(
      items: places, weights: places, prices: [Double](repeating: 50, count: 81))
    #expect(plan.fetches == [10, 20, 30, 40, 50, 60, 70, 80])
  }

  @Test func `without valid places there is no plan`() {
    #expect(FetchPlan(items: [0], weights: [0], prices: [0]).fetches.isEmpty)
    #expect(FetchPlan(items: [], weights: [], prices: []).fetches.isEmpty)
    #expect(FetchPlan(items: [0, 1], weights: [0], prices: [0, 1]).fetches.isEmpty)
  }
}
