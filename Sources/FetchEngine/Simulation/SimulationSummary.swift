import FetchModel
import FetchSchedule
import FetchValues

/// The results of a simulation of a config.
package struct SimulationSummary {
  private struct Tally {
    var news = 0
    var none = 0
    var failed = 0
    var requests = 0
    var runs: Int { news + none + failed }
  }

  private var tallies: [JobName: Tally] = [:]
  private var longest: SimulatedRun?
  private var notices: [String] = []
  private var untoldNoticeCount = 0

  private static let noticesMax = 100

  package init() {}

  package mutating func count(_ run: SimulatedRun) {
    let job = run.job
    switch run.outcome {
    case .newData: tallies[job, default: Tally()].news += 1
    case .noData: tallies[job, default: Tally()].none += 1
    case .failed: tallies[job, default: Tally()].failed += 1
    }
    tallies[job, default: Tally()].requests += run.requestCount
    if run.waited > longest?.waited ?? .zero { longest = run }
    for notice in run.notices {
      guard notices.count < Self.noticesMax else {
        untoldNoticeCount += 1
        continue
      }
      let time = run.startedAt.descriptionInSeconds
      notices.append("notice: \(run.job) at \(time): \(notice.sentence)")
    }
  }

  /// Returns the summary as lines of text. Call this function after the simulation.
  package func text(_ simulation: ConfigSimulation) -> String {
    var lines = [headline(simulation)]
    lines += simulation.jobNames.map { line(of: $0, simulation) }
    lines += skips(simulation)
    lines += notices
    if untoldNoticeCount > 0 { lines.append("notice: and \(untoldNoticeCount) more") }
    lines += budget(simulation)
    lines.append(wait)
    return lines.joined(separator: "\n")
  }

  private func headline(_ simulation: ConfigSimulation) -> String {
    let all = tallies.values.reduce(into: Tally()) { all, tally in
      all.news += tally.news
      all.none += tally.none
      all.failed += tally.failed
      all.requests += tally.requests
    }
    let time = simulation.time
    return "\(counted(simulation.jobNames.count, "job")), \(text(all)), from"
      + " \(time.lowerBound.descriptionInSeconds) to \(time.upperBound.descriptionInSeconds)"
  }

  private func text(_ tally: Tally) -> String {
    "\(counted(tally.runs, "run")) (\(tally.news) newData, \(tally.none) noData,"
      + " \(tally.failed) failed), \(counted(tally.requests, "request"))"
  }

  private func line(of job: JobName, _ simulation: ConfigSimulation) -> String {
    if let tally = tallies[job] { return "\(job): \(text(tally))" }
    let reason = simulation.waitReason(job)?.sentence(now: simulation.time.upperBound)
    return "\(job): no run: \(reason ?? "the job was removed")"
  }

  /// Returns one line for each job that skipped a due time. The line has the reason of the last
  /// skip.
  private func skips(_ simulation: ConfigSimulation) -> [String] {
    let byJob = Dictionary(grouping: simulation.skips) { $0.job }
    return simulation.jobNames.compactMap { job in
      guard let skips = byJob[job], let last = skips.last else { return nil }
      return "skipped: \(job): \(counted(skips.count, "time")), the last time because"
        + " \(last.skip.reason.sentence)"
    }
  }

  private func budget(_ simulation: ConfigSimulation) -> [String] {
    let spent = BudgetResource.allCases.map { resource in
      "\(resource.noun) \(resource.text(simulation.spent(resource)))"
    }
    return ["spent: \(spent.joined(separator: ", "))"]
      + simulation.budget.map { line in
        "budget: \(line.text), \(use(line, simulation.spent(line.resource), simulation))"
      }
      + simulation.ownBudgets.map { own in
        "budget of \(own.job): \(own.line.text), \(use(own.line, own.spent, simulation))"
      }
  }

  /// Returns text such as `12 % used`.
  private func use(
    _ line: BudgetLine, _ spent: Double, _ simulation: ConfigSimulation
  ) -> String {
    let time = simulation.time.upperBound - simulation.time.lowerBound
    let periods =
      Double(time.components.seconds) / Double(line.rate.period.duration.components.seconds)
    let given = max(Double(line.rate.amount) * periods, 1)
    return "\(Int(min(spent / given * 100, 1e6).rounded())) % used"
  }

  private var wait: String {
    guard let longest, longest.waited >= .seconds(1) else { return "longest wait: none" }
    let reason = longest.waitedFor.map { ": \($0.sentence(now: longest.dueAt))" } ?? ""
    return "longest wait: \(longest.job) waited \(longest.waited.inSeconds.shortText) until"
      + " \(longest.startedAt.descriptionInSeconds)\(reason)"
  }
}
