import ArgumentParser
import FetchEngine
import FetchValues

/// The options for the time span and the faults of a simulation.
struct SimulationOptions: ParsableArguments {
  @Option(
    name: .long, help: "The start of the simulation, such as 2026-11-20T10:00:00Z (default: now).")
  var from: String?

  @Option(name: .long, help: "The number of days to simulate.")
  var days = 1

  @Option(
    name: .long,
    help: """
      Simulate failing answers to a job: JOB=STATUS[:RETRY-AFTER][@[START+]DURATION]; may be \
      repeated.
      """)
  var fail: [String] = []

  @Option(name: .long, help: "Simulate a network outage: [START+]DURATION.")
  var offline: String?

  private static let daysMax = 3660

  mutating func validate() throws {
    guard (1...Self.daysMax).contains(days) else {
      throw ValidationError("--days must be from 1 to \(Self.daysMax)")
    }
    _ = try plan(now: Timestamp(seconds: 0))
  }

  func plan(now: Timestamp) throws -> SimulationPlan {
    var plan = SimulationPlan(from: try start ?? now, days: days)
    do throws(UnitTextError) {
      for text in fail { plan.failures.append(try SimulatedFailure(parsing: text)) }
    } catch {
      throw ValidationError("--fail: \(error)")
    }
    do throws(UnitTextError) {
      plan.offline = try offline.map { text throws(UnitTextError) in
        try SimulatedStretch(parsing: text)
      }
    } catch {
      throw ValidationError("--offline: \(error)")
    }
    return plan
  }

  /// The time at which the simulation begins; nil if the user gave no time. A date without a time
  /// means midnight in UTC.
  private var start: Timestamp? {
    get throws {
      guard let from else { return nil }
      guard let time = Timestamp(rfc3339: from) ?? Timestamp(rfc3339: from + "T00:00:00Z") else {
        throw ValidationError(
          "--from: invalid time '\(from)': use a time such as 2026-11-20T10:00:00Z")
      }
      return time
    }
  }
}
