/// The belief about whether a source publishes by a timetable: at the same times each day or week.
/// Examples are a scheduled job, or an author with a fixed hour.
///
/// Each model has a period and a width. With n remembered events, the next event repeats a
/// remembered event after one or more periods, with probability n / (n + α). The constant α is
/// `newTimes`. Otherwise the next event follows the job's week (Pólya's urn, Blackwell and MacQueen
/// 1973).
///
/// A histogram of the day is a poor model, because it leaves a small rate at the hours without
/// events. The number of fetches at these hours is in proportion to the square root of this rate.
/// In a test with fifty traces and only histograms, a tenth of the sources had a daily or weekly
/// timetable. These sources caused more than a quarter of the cost of not knowing the true rates.
package struct TimetableBelief: Equatable, Sendable {
  /// The times of the last events that did not follow shortly after another event. The times are on
  /// the zone's clock, oldest first.
  private(set) var marks: [Double] = []
  /// The weighted number of all events that were added to `marks`, plus 1. Older events count less.
  private(set) var leads = 1.0
  /// The trust in each model. The first model assumes that there is no timetable.
  private(set) var trust = TimetableBelief.baseTrust

  struct Model {
    /// The time between two repetitions of the timetable, in seconds.
    var period: Double
    /// The maximum distance, in seconds, between the expected time and the time at which the source
    /// publishes.
    var width: Double
  }

  static let models = [
    Model(period: WeekClock.daySeconds, width: 200),
    Model(period: WeekClock.daySeconds, width: 900),
    Model(period: WeekClock.weekSeconds, width: 300),
    Model(period: WeekClock.weekSeconds, width: 1200),
  ]
  static let count = 1 + models.count
  /// The trust in each model before anything is learned: most sources have no timetable.
  static let baseTrust = [0.95] + [Double](repeating: 0.05 / Double(count - 1), count: count - 1)
  /// The maximum number of marks. It is enough for two weeks with one event a day, or for a few
  /// days with several events a day.
  static let marksMax = 16
  /// The minimum time, in seconds, between a mark and the last event before it. Closer events
  /// belong to a burst, which counts only once.
  private static let leadApart = 3600.0
  /// The weight, in events, of the prior belief that the next event has a new time.
  private static let newTimes = 0.5
  /// The part of the trust that returns to the prior at each step.
  private static let share = 0.005

  package init() {}

  init?(marks: [Double], leads: Double, trust: [Double]) {
    guard marks.count <= Self.marksMax, trust.count == Self.count,
      marks.allSatisfy(AdaptiveState.instants.contains), (1...1e9).contains(leads),
      trust.allSatisfy({ (0...1).contains($0) }), trust[0] > 0, trust.reduce(0, +) <= 1 + 1e-6
    else { return nil }
    self.marks = marks
    self.leads = leads
    self.trust = trust
  }

  /// The part of the events that a model expects to follow the job's week instead of a mark, in
  /// 0...1.
  var weekShare: Double { Self.newTimes / (Double(marks.count) + Self.newTimes) }
  /// The part of the events that a model expects to repeat one given mark, in 0...1.
  var markShare: Double { 1 / (Double(marks.count) + Self.newTimes) }

  /// Returns the part of a source's events, in 0...1, that do not follow shortly after another
  /// event. The timetable is learned from these events only and predicts only these events. All
  /// other events follow the job's week.
  func leadShare(of events: Double) -> Double { min(leads / events, 1) }

  // MARK: A mark's echoes

  /// Returns the density of the events that repeat a mark of the given age. The density is 0 during
  /// the first half period after the mark. Later, its mean over a period is 1.
  private static func density(_ model: Model, age: Double) -> Double {
    let periods = age / model.period
    guard periods > 0.5 else { return 0 }
    let place = abs(periods - periods.rounded()) * model.period / model.width
    return place < 1 ? model.period / model.width * (1 - place) : 0
  }

  /// Returns the integral of the density over the time since a mark, up to the given age of the
  /// mark.
  static func mass(_ model: Model, age: Double) -> Double {
    let periods = age / model.period
    guard periods > 0.5 else { return 0 }
    let whole = periods.rounded()
    let place = min(max((periods - whole) * model.period / model.width, -1), 1)
    let rest = 1 - abs(place)
    let part = place < 0 ? rest * rest / 2 : 1 - rest * rest / 2
    return model.period * (whole - 1 + part)
  }

  // MARK: Learning

  /// Multiplies the number of events in `leads`, without the constant 1, by `kept` in 0...1.
  mutating func forget(_ kept: Double) { leads = 1 + (leads - 1) * kept }

  /// Learns from the events of a stretch of time, in order, on the zone's clock. `shapes` are the
  /// values of the week's shape at the events, and `exposure` is the integral of this shape over
  /// the stretch. `mean` is the mean number of events per second. `known` is the weighted number of
  /// the source's earlier events, plus 1, and `previous` is the time of the last of these events.
  ///
  /// Returns `shapes` and `exposure` with the timetable applied.
  mutating func learn(
    events: [Double], shapes: [Double], after previous: Double?, from start: Double,
    to end: Double, exposure: Double, mean: Double, known: Double
  ) -> (shapes: [Double], exposure: Double) {
    // The clock may have been set back.
    marks.removeAll { $0 > end }
    let leadShare = leadShare(of: known)
    let leadMean = mean * leadShare
    let untimed = 1 - leadShare * (1 - trust[0])
    var mixed = (shapes: shapes.map { $0 * untimed }, exposure: exposure * untimed)
    var logs = [-leadMean * exposure]
    for (place, model) in Self.models.enumerated() {
      var sum = 0.0
      for mark in marks {
        sum += Self.mass(model, age: end - mark) - Self.mass(model, age: start - mark)
      }
      let expected = exposure * weekShare + sum * markShare
      mixed.exposure += leadShare * trust[1 + place] * expected
      logs.append(-leadMean * expected)
    }
    var last = previous ?? -.infinity
    for (index, event) in events.enumerated() {
      let isLead = event - last >= Self.leadApart
      last = event
      let densities = densities(at: event, shape: shapes[index])
      for place in Self.models.indices {
        mixed.shapes[index] += leadShare * trust[1 + place] * densities[place]
      }
      guard isLead else { continue }
      logs[0] += Exponential.log(max(shapes[index], 1e-3))
      for place in Self.models.indices {
        logs[1 + place] += Exponential.log(max(densities[place], 1e-3))
      }
      leads = min(leads + 1, 1e9)
      marks.append(event)
      if marks.count > Self.marksMax { marks.removeFirst() }
    }
    ModelTrust.judge(&trust, by: logs, base: Self.baseTrust, share: Self.share)
    return mixed
  }

  private func densities(at time: Double, shape: Double) -> [Double] {
    Self.models.map { model in
      var sum = 0.0
      for mark in marks { sum += Self.density(model, age: time - mark) }
      return shape * weekShare + sum * markShare
    }
  }
}

/// The trust in several models of a source, updated by Bayes' rule. Each step returns a part of the
/// trust to the prior. A model that predicted badly can therefore regain trust later (fixed share,
/// Herbster and Warmuth 1998).
enum ModelTrust {
  /// Moves trust to the models that predicted the observed events.
  ///
  /// - Parameters:
  ///   - logs: the log likelihoods of the events under each model.
  ///   - base: the trust before anything is known; the sum is 1.
  ///   - share: the part of the trust that returns to `base`.
  static func judge(_ trust: inout [Double], by logs: [Double], base: [Double], share: Double) {
    let most = logs.max() ?? 0
    guard most.isFinite else { return }
    var sum = 0.0
    for model in trust.indices {
      trust[model] *= Exponential.exp(logs[model] - most)
      sum += trust[model]
    }
    guard sum > 0 else { return trust = base }
    for model in trust.indices {
      trust[model] = (1 - share) * trust[model] / sum + share * base[model]
    }
  }
}

/// The belief about how likely an event is to cause further events.
///
/// The models are self-exciting rates (Hawkes 1971) with several exponential memories. The trust in
/// each model depends on how well the model predicted the events. For a mean rate r, a mean number
/// n of events that one event causes, and a memory τ, the intensity is `(1 - n) r × shape + Σ n/τ ×
/// exp(-age/τ)`. The sum is over the past events.
package struct BurstBelief: Equatable, Sendable {
  /// The sum of decayed event weights for each memory.
  private(set) var sums = [Double](repeating: 0, count: Self.memories.count)
  private(set) var trust = BurstBelief.baseTrust

  /// The times, in seconds, after which the weight of an event falls to 1/e.
  static let memories = [300.0, 1200.0, 4500.0, 14_400.0]
  /// The possible mean numbers of events that one event causes.
  static let branchings = [0.3, 0.7]
  static let count = 1 + memories.count * branchings.count
  /// The trust in each model before anything is learned. The first model assumes that events are
  /// independent of each other.
  static let baseTrust = [0.6] + [Double](repeating: 0.4 / Double(count - 1), count: count - 1)
  private static let share = 0.01

  package init() {}

  init?(sums: [Double], trust: [Double]) {
    guard sums.count == Self.memories.count, trust.count == Self.count,
      sums.allSatisfy({ $0.isFinite && $0 >= 0 && $0 < 1e6 }),
      trust.allSatisfy({ $0.isFinite && $0 >= 0 && $0 <= 1 })
    else { return nil }
    self.sums = sums
    self.trust = trust
  }

  static func memory(_ model: Int) -> Int { (model - 1) / branchings.count }
  static func branching(_ model: Int) -> Double { branchings[(model - 1) % branchings.count] }

  /// Learns from the events of a stretch of time, in order. `base` is the intensity at each event
  /// without bursts, and `expected` is the integral of this intensity over the stretch.
  mutating func learn(
    events: [Double], base: [Double], from start: Double, to end: Double, expected: Double
  ) {
    var logs = [Double](repeating: 0, count: Self.count)
    logs[0] = -expected
    for model in 1..<Self.count { logs[model] = -(1 - Self.branching(model)) * expected }
    var at = start
    for (index, event) in events.enumerated() {
      pass(from: at, to: event, &logs)
      logs[0] += Exponential.log(base[index])
      for model in 1..<Self.count {
        let n = Self.branching(model)
        let memory = Self.memory(model)
        logs[model] += Exponential.log(
          (1 - n) * base[index] + n * sums[memory] / Self.memories[memory])
      }
      for memory in sums.indices { sums[memory] = min(sums[memory] + 1, 1e5) }
      at = event
    }
    pass(from: at, to: end, &logs)
    ModelTrust.judge(&trust, by: logs, base: Self.baseTrust, share: Self.share)
  }

  /// Advances the state over a period in which the times of the events are unknown.
  mutating func skip(_ seconds: Double) {
    for memory in sums.indices {
      sums[memory] *= Exponential.exp(-max(seconds, 0) / Self.memories[memory])
    }
  }

  /// Advances the state over a period without events.
  private mutating func pass(from start: Double, to end: Double, _ logs: inout [Double]) {
    guard end > start else { return }
    for memory in sums.indices {
      let kept = sums[memory] * Exponential.exp((start - end) / Self.memories[memory])
      for (place, n) in Self.branchings.enumerated() {
        logs[1 + memory * Self.branchings.count + place] -= n * (sums[memory] - kept)
      }
      sums[memory] = kept
    }
  }
}
