/// The effect of a source's timetable on its week, as far as it is believed.
struct TimetableForecast: Sendable {
  /// The share of the rate that the week keeps.
  private(set) var weekShare = 1.0
  private var echoes: [Echo] = []
  private var marks: [Double] = []
  /// The offset to the zone's clock.
  private let offset: Double

  private struct Echo {
    var model: TimetableBelief.Model
    /// The share of the rate that each mark has.
    var share: Double
  }

  /// The trust below which models are ignored.
  private static let trustMin = 0.01

  /// - Parameter events: the number of events of the source, with the forgetting of the belief.
  init(_ belief: TimetableBelief, events: Double, clock: WeekClock) {
    offset = clock.offset
    guard !belief.marks.isEmpty else { return }
    let leadShare = belief.leadShare(of: events)
    for (place, model) in TimetableBelief.models.enumerated() {
      let trust = belief.trust[1 + place]
      guard trust > Self.trustMin else { continue }
      echoes.append(Echo(model: model, share: leadShare * trust * belief.markShare))
      weekShare -= leadShare * trust * (1 - belief.weekShare)
    }
    if !echoes.isEmpty { marks = belief.marks }
  }

  /// Returns the integral of the timetable's addition, in seconds at the mean rate.
  func added(from start: Double, to end: Double) -> Double {
    var sum = 0.0
    for echo in echoes {
      for mark in marks {
        let age = offset - mark
        sum +=
          echo.share
          * (TimetableBelief.mass(echo.model, age: end + age)
            - TimetableBelief.mass(echo.model, age: start + age))
      }
    }
    return sum
  }

  /// Applies the timetable to a week's shape by the hour.
  func apply(to hourly: inout [Double]) {
    guard !echoes.isEmpty else { return }
    for hour in hourly.indices { hourly[hour] *= weekShare }
    for echo in echoes {
      let isDaily = echo.model.period == WeekClock.daySeconds
      let stretch = isDaily ? 24 : WeekClock.weekHours
      for mark in marks {
        // Marks are on the zone's clock, which begins on a Monday.
        let hour = WeekClock().hourOfWeek(mark)
        for place in stride(from: hour % stretch, to: WeekClock.weekHours, by: stretch) {
          hourly[place] += echo.share * Double(stretch)
        }
      }
    }
  }
}
