import FetchModel
import FetchValues

extension ConfigReader {
  mutating func main(_ root: Node, needsJobs: Bool) -> Reading {
    var reading = Reading()
    guard let mapping = mapping(root, "the file") else { return reading }
    let entries = entries(mapping, FileKeys.all)
    // Hooks and jobs are read last, because they use the values of the rest of the file.
    for entry in entries where ![FileKeys.hooks, FileKeys.jobs].contains(entry.name) {
      entry.key.read(&self, entry, &reading)
    }
    reading.isStoreCertain = isStoreCertain(reading.config.store, in: mapping)
    reading.config.firstRun = reading.template.firstRun
    reading.config.privateAddresses = reading.template.allow.privateAddresses
    shared = reading.config.secrets
    if let hooks = entries[FileKeys.hooks] { hooks.key.read(&self, hooks, &reading) }
    if let jobs = entries[FileKeys.jobs] {
      jobs.key.read(&self, jobs, &reading)
      reading.jobsPlace = jobs.node.place
      let rest = mapping.drop { $0.key.string != FileKeys.jobs }.dropFirst()
      reading.lineAfterJobs = rest.first?.key.place.line
    } else if needsJobs {
      note(root, "there are no jobs; add `jobs:` with a list of jobs")
    }
    return reading
  }

  mutating func setDefaults(to node: Node, in template: inout JobConfig) {
    guard let mapping = mapping(node, "defaults") else { return }
    var reading = JobReading(job: template)
    for entry in entries(mapping, JobKeys.all) {
      if entry.key.entry.isOwn {
        note(entry.keyNode, "`\(entry.name)` cannot be a default; set it in a job")
        continue
      }
      entry.key.read(&self, entry, &reading)
      if entry.name == "files", reading.job.files.root != nil {
        reading.job.files.root = nil
        note(entry.node, "`files.root` cannot be a default; set it in a job")
      }
    }
    template = reading.job
  }

  // MARK: Jobs

  mutating func jobsOnly(_ root: Node, _ template: JobConfig) -> [JobConfig] {
    guard let mapping = mapping(root, "the file") else { return [] }
    var list: Node?
    for (keyNode, node) in mapping {
      switch keyNode.string {
      case FileKeys.jobs: list = node
      case let name? where FileKeys.all[name] != nil:
        note(keyNode, "\(name) is only allowed in the main file; this file may have only jobs")
      case let name: note(keyNode, "unknown key '\(name ?? "")'; this file may have only jobs")
      }
    }
    if list == nil { note(root, "there are no jobs; add `jobs:` with a list of jobs") }
    return list.map { jobs($0, template) } ?? []
  }

  mutating func jobs(_ node: Node, _ template: JobConfig) -> [JobConfig] {
    // The key `jobs:` has nothing below it, so there are no jobs.
    if case .scalar(let scalar) = node, scalar.isPlain, scalar.string.isEmpty { return [] }
    guard case .sequence(let list, _) = node else {
      note(node, "jobs must be a list of jobs: begin each job with '- name:'")
      return []
    }
    var jobs: [JobConfig] = []
    jobs.reserveCapacity(list.count)
    for node in list {
      if let job = job(node, template) { jobs.append(job) }
    }
    return jobs
  }

  // MARK: Budget and lanes

  /// Reads a budget. If a key is missing, the value in `base` is kept. A job's budget has no key
  /// `runs`.
  mutating func budget(
    _ node: Node, over base: BudgetLimits = BudgetLimits(), ofJob: Bool = false
  ) -> BudgetLimits {
    var budget = base
    guard let mapping = mapping(node, "budget") else { return budget }
    for entry in entries(mapping, BudgetKeys.all) {
      if ofJob, entry.key.entry.isOwn {
        note(entry.keyNode, "\(entry.name) is only allowed in the top-level budget")
      } else {
        entry.key.read(&self, entry, &budget)
      }
    }
    return budget
  }

  mutating func rates(
    _ node: Node, _ key: String, _ quantity: Rate.Quantity
  ) -> [Rate] {
    let rates = parsed(node, key) { text throws(ScheduleTextError) in
      let rate = try Rate(parsing: text, of: quantity)
      guard rate.amount > 0 else { throw Self.nothingAllowed(text) }
      return rate
    }
    for period in Rate.Period.allCases where rates.filter({ $0.period == period }).count > 1 {
      note(node, "\(key) has more than one rate per \(period); keep one")
    }
    return rates
  }

  /// Returns the error for a limit of zero. The scheduler admits a run of any cost if the budget is
  /// unused, so a limit of zero would not stop all runs.
  private static func nothingAllowed(_ text: String) -> ScheduleTextError {
    ScheduleTextError(
      "'\(text.prefix(60))' would not prevent all runs; remove the limit, or disable a job with "
        + "`enabled: false`")
  }

  mutating func lanes(_ node: Node) -> LaneRules {
    var rules = LaneRules()
    guard let mapping = mapping(node, "lanes") else { return rules }
    for (keyNode, node) in mapping {
      let name = keyNode.string ?? ""
      guard let pattern = HostPattern(name), pattern.isHostnameAlone else {
        note(
          keyNode,
          "invalid hostname '\(name)': use names such as example.org or *.example.org, or '*'")
        continue
      }
      var rule = LaneRule()
      if section(node, "a lane", LaneKeys.all, into: &rule) { rules.set(rule, for: pattern) }
    }
    return rules
  }
}
