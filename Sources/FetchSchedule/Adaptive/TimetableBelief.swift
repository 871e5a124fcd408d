/// Whether a source publishes by a timetable: at the same times each day or week, like a scheduled
/// job or an author with a fixed hour.
///
/// Each model has a period and a width. With n remembered events, the next one falls a period or
/// several after one of them with probability n / (n + α). Otherwise it follows the job's week
/// (Pólya's urn, Blackwell and MacQueen 1973). A histogram of the day is a poor model: however
/// little it keeps for the rest of the day, the square root of that is worth fetches. On fifty
/// traces with histograms alone, daily and weekly clocks were a tenth of the sources, and more than
/// a quarter of the loss from unknown rates.
package struct TimetableBelief: Equatable, Sendable {
  /// The times of the last events that no other event preceded shortly, on the zone's clock, oldest
  /// first.
  private(set) var marks: [Double] = []
  /// The weighted number of the events in `marks`: older events count less.
  private(set) var leads = 1.0
  /// The trust in each model; the first is that there is no timetable.
  private(set) var trust = TimetableBelief.baseTrust

  struct Model {
    /// The seconds between two turns of the timetable.
    var period: Double
    /// The seconds around the set time within which it is kept.
    var width: Double
  }

  static let models = [
    Model(period: WeekClock.daySeconds, width: 200),
    Model(period: WeekClock.daySeconds, width: 900),
    Model(period: WeekClock.weekSeconds, width: 300),
    Model(period: WeekClock.weekSeconds, width: 1200),
  ]
  static let count = 1 + models.count
  /// The prior: most sources have no timetable.
  static let baseTrust = [0.95] + [Double](repeating: 0.05 / Double(count - 1), count: count - 1)
  /// Enough for two weeks of one time a day, or for the times of a few days.
  static let marksMax = 16
  /// Events closer than this to the previous one belong to a burst. A cluster near yesterday's is
  /// one coincidence, not ten.
  private static let leadApart = 3600.0
  /// The prior that the next event has a new time, in events.
  private static let newTimes = 0.5
  /// The share of the trust that goes back to the prior at each step.
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

  /// The share of a model's events that the job's week keeps.
  var weekShare: Double { Self.newTimes / (Double(marks.count) + Self.newTimes) }
  /// The share of a model's events that each mark has.
  var markShare: Double { 1 / (Double(marks.count) + Self.newTimes) }

  /// Returns the share of a source's events that begin a burst. The timetable is learned from these
  /// alone and predicts only them; the rest follow the job's week.
  func leadShare(of events: Double) -> Double { min(leads / events, 1) }

  // MARK: A mark's echoes

  /// Returns the density of the mark's echoes, 1 in the mean over a period; 0 before the first is
  /// due.
  private static func density(_ model: Model, age: Double) -> Double {
    let periods = age / model.period
    guard periods > 0.5 else { return 0 }
    let place = abs(periods - periods.rounded()) * model.period / model.width
    return place < 1 ? model.period / model.width * (1 - place) : 0
  }

  /// Returns the integral of the density up to an age.
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

  /// Keeps that share of the counts.
  mutating func forget(_ kept: Double) { leads = 1 + (leads - 1) * kept }

  /// Learns from the events of a stretch of time, in order, on the zone's clock. `shapes` are the
  /// values of the job's week at the events, `exposure` its integral over the stretch, `mean` the
  /// events a second, `known` the events so far, `previous` the last of them.
  ///
  /// Returns the values and the integral with the timetable applied.
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
