/// Whether a source publishes by a timetable: at the same times of each day or of each week, as
/// what is published by a clock does, or an author with a fixed hour.
///
/// Each model has a period and a width. With n events remembered, the next one comes with probability
/// n / (n + α) about a period, or several, after one of them, else as the job's week has it (Pólya's
/// urn, Blackwell and MacQueen 1973). A histogram of the day says it badly: what it keeps for the
/// rest of the day, however little, is worth looks by the square root of it. On fifty traces, with
/// histograms alone, daily and weekly clocks were a tenth of the sources and more than a quarter of
/// what was lost for not knowing the rates.
package struct TimetableBelief: Equatable, Sendable {
  /// When the last events were that no other came shortly before, on the zone's clock, oldest first.
  private(set) var marks: [Double] = []
  /// How many such events there were, with forgetting.
  private(set) var leads = 1.0
  /// How far each model is believed; first that there is no timetable.
  private(set) var trust = TimetableBelief.baseTrust

  struct Model {
    /// Seconds from one turn of the timetable to the next.
    var period: Double
    /// Seconds from the time set within which it is kept.
    var width: Double
  }

  static let models = [
    Model(period: WeekClock.daySeconds, width: 200),
    Model(period: WeekClock.daySeconds, width: 900),
    Model(period: WeekClock.weekSeconds, width: 300),
    Model(period: WeekClock.weekSeconds, width: 1200),
  ]
  static let count = 1 + models.count
  /// Most sources have none.
  static let baseTrust = [0.95] + [Double](repeating: 0.05 / Double(count - 1), count: count - 1)
  /// Enough for a fortnight of one time a day, or for the times of some days.
  static let marksMax = 16
  /// Events closer than this to the one before tell of a burst, not of a timetable: one cluster that
  /// falls near yesterday's is one coincidence, not ten.
  private static let leadApart = 3600.0
  /// How many events weigh as much as the belief that the next is none of them.
  private static let newTimes = 0.5
  /// Part of the trust that goes back to the base at each step.
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

  /// What the week of the job keeps of a model's events.
  var weekShare: Double { Self.newTimes / (Double(marks.count) + Self.newTimes) }
  /// What each mark has of a model's events.
  var markShare: Double { 1 / (Double(marks.count) + Self.newTimes) }

  /// The part of a source's events that begin something: of these alone a timetable is learned, so
  /// it foretells that part alone. The rest come as the job's week has it.
  func leadShare(of events: Double) -> Double { min(leads / events, 1) }

  // MARK: A mark's echoes

  /// How dense its echoes are, 1 in the mean over a period; none before the first is due.
  private static func density(_ model: Model, age: Double) -> Double {
    let periods = age / model.period
    guard periods > 0.5 else { return 0 }
    let place = abs(periods - periods.rounded()) * model.period / model.width
    return place < 1 ? model.period / model.width * (1 - place) : 0
  }

  /// The integral of the density up to an age.
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

  /// Keeps that part of what was counted.
  mutating func forget(_ kept: Double) { leads = 1 + (leads - 1) * kept }

  /// The events of a stretch of time, in order, all times on the zone's clock. `shapes` are the
  /// values of the job's week at the events, `exposure` its integral over the stretch, `mean` the
  /// events a second, `known` the events so far, `previous` the last of them.
  ///
  /// Returns the same values and integral with the timetable in them.
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
