import FetchModel
import FetchValues
import Yams

extension ConfigReader {
  mutating func main(_ root: Node, needsJobs: Bool) -> Reading {
    var reading = Reading()
    guard let mapping = mapping(root, "the file") else { return reading }
    let entries = entries(mapping, FileKey.self)
    // Jobs come last: they begin as what the rest of the file says.
    for (key, _, node) in entries where key != .jobs { set(key, to: node, in: &reading) }
    reading.isStoreCertain = isStoreCertain(reading.config.store, in: mapping)
    reading.config.firstRun = reading.template.firstRun
    reading.config.privateAddresses = reading.template.allow.privateAddresses
    shared = reading.config.secrets
    if let jobs = entries.first(where: { $0.key == .jobs })?.node {
      reading.config.jobs = self.jobs(jobs, reading.template)
    } else if needsJobs {
      note(root, "there are no jobs; add a list: jobs:")
    }
    return reading
  }

  private mutating func set(_ key: FileKey, to node: Node, in reading: inout Reading) {
    let name = key.rawValue
    switch key {
    case .store: reading.config.store = text(node, name)
    case .plugins: reading.config.pluginFolders = texts(node, name).map(\.text)
    case .sandbox:
      reading.config.sandbox = choice(node, name, SandboxRule.self) ?? reading.config.sandbox
    case .allowPrivate:
      let addresses = reading.template.allow.privateAddresses
      reading.template.allow.privateAddresses = addresses.union(privateAddresses(node, name))
    case .allowRead: set(.read, to: node, in: &reading.template.allow)
    case .defaults: defaults(node, in: &reading.template)
    case .budget: reading.config.budget = budget(node)
    case .lanes: reading.config.lanes = lanes(node)
    case .transfers: reading.config.transfers = transfers(node)
    case .secrets: reading.config.secrets = secrets(node).map(\.given)
    case .secretsKey: reading.config.secretsKey = text(node, name)
    case .keep: reading.config.keep = keep(node)
    case .keepFailed:
      let count = count(node, name, 0...Config.keptFailureCountMax)
      reading.config.keptFailureCount = count ?? reading.config.keptFailureCount
    case .hooks: reading.config.hooks = hooks(node)
    case .jobs: break
    }
  }

  private mutating func defaults(_ node: Node, in template: inout JobConfig) {
    guard let mapping = mapping(node, "defaults") else { return }
    var limits = LimitNodes()
    for (key, keyNode, node) in entries(mapping, JobKey.self) {
      if key.isOwn {
        note(keyNode, "\(key.rawValue) is a job's own and cannot be a default")
      } else {
        set(key, to: node, in: &template, &limits)
        guard key == .files, template.files.root != nil else { continue }
        template.files.root = nil
        note(node, "files.root is a job's own and cannot be a default")
      }
    }
  }

  // MARK: Jobs

  mutating func jobsOnly(_ root: Node, _ template: JobConfig) -> [JobConfig] {
    guard let mapping = mapping(root, "the file") else { return [] }
    var list: Node?
    for (keyNode, node) in mapping {
      switch keyNode.string {
      case FileKey.jobs.rawValue: list = node
      case let name? where FileKey(rawValue: name) != nil:
        note(keyNode, "\(name) belongs into the main file; here are only jobs")
      case let name: note(keyNode, "unknown key '\(name ?? "")'; here are only jobs")
      }
    }
    if list == nil { note(root, "there are no jobs; add a list: jobs:") }
    return list.map { jobs($0, template) } ?? []
  }

  private mutating func jobs(_ node: Node, _ template: JobConfig) -> [JobConfig] {
    // `jobs:` with nothing below it.
    if case .scalar(let scalar) = node, scalar.style == .plain, scalar.string.isEmpty { return [] }
    guard case .sequence(let list) = node else {
      note(node, "jobs must be a list of jobs, each beginning with '- name:'")
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

  /// What the mapping says, over what held before; a job's has no runs at once.
  mutating func budget(
    _ node: Node, over base: BudgetLimits = BudgetLimits(), ofJob: Bool = false
  ) -> BudgetLimits {
    var budget = base
    guard let mapping = mapping(node, "budget") else { return budget }
    for (key, keyNode, node) in entries(mapping, BudgetKey.self) {
      switch key {
      case _ where ofJob && !key.isOfJobs:
        note(keyNode, "\(key.rawValue) belongs into the budget of all jobs")
      case .runs: budget.runsAtOnceMax = count(node, "runs", 1...10_000)
      case .requests: budget.requests = rates(node, key, .count)
      case .bytes: budget.bytes = rates(node, key, .bytes)
      case .cpu: budget.cpu = rates(node, key, .time)
      case .runTime: budget.runTime = rates(node, key, .time)
      }
    }
    return budget
  }

  private mutating func rates(
    _ node: Node, _ key: BudgetKey, _ quantity: Rate.Quantity
  ) -> [Rate] {
    let rates = parsed(node, key.rawValue) { text throws(ScheduleTextError) in
      let rate = try Rate(parsing: text, of: quantity)
      guard rate.amount > 0 else { throw Self.nothingAllowed(text) }
      return rate
    }
    for period in Rate.Period.allCases where rates.filter({ $0.period == period }).count > 1 {
      note(node, "\(key.rawValue) has two rates per \(period); keep one")
    }
    return rates
  }

  /// A bucket lets a run through that is dearer than it will ever hold, so of nothing it would let
  /// through one.
  private static func nothingAllowed(_ text: String) -> ScheduleTextError {
    ScheduleTextError(
      "'\(text.prefix(60))' would let nothing run; leave it out where there is no"
        + " limit, and switch a job off by enabled: false")
  }

  private mutating func lanes(_ node: Node) -> LaneRules {
    var rules = LaneRules()
    guard let mapping = mapping(node, "lanes") else { return rules }
    for (keyNode, node) in mapping {
      let name = keyNode.string ?? ""
      guard let pattern = HostPattern(name), pattern.isHostnameAlone else {
        note(keyNode, "'\(name)' is no hostname; write example.org, *.example.org or '*'")
        continue
      }
      if let rule = lane(node) { rules.set(rule, for: pattern) }
    }
    return rules
  }

  private mutating func transfers(_ node: Node) -> TransferSettings {
    var settings = TransferSettings()
    guard let mapping = mapping(node, "transfers") else { return settings }
    for (key, _, node) in entries(mapping, TransfersKey.self) {
      switch key {
      case .atOnce:
        let count = count(node, "at_once", TransferSettings.atOnceAllowed)
        settings.atOnceMax = count ?? settings.atOnceMax
      case .order:
        settings.order = choice(node, "order", TransferOrder.self) ?? settings.order
      case .speed:
        guard let speed = parsedOne(node, "speed", by: ByteSize.init(parsing:)) else { continue }
        settings.bytesPerSecondMax = speed.bytes
        if speed.bytes < TransferSettings.bytesPerSecondMin {
          note(
            node, "speed must be at least \(ByteSize(bytes: TransferSettings.bytesPerSecondMin))")
        }
      }
    }
    return settings
  }

  private mutating func keep(_ node: Node) -> Retention {
    var keep = Retention()
    guard let mapping = mapping(node, "keep") else { return keep }
    for (key, _, node) in entries(mapping, KeepKey.self) {
      let name = "keep." + key.rawValue
      switch key {
      case .versions:
        keep.versionCount = count(node, name, 1...Retention.versionsMax) ?? keep.versionCount
      case .runs: keep.runDays = days(node, name) ?? keep.runDays
      case .items: keep.itemDays = days(node, name) ?? keep.itemDays
      case .removed: keep.tombstoneDays = days(node, name) ?? keep.tombstoneDays
      case .size: keep.bytesMax = storeSize(node, name)
      case .jobSize: keep.jobBytesMax = storeSize(node, name)
      }
    }
    return keep
  }

  /// A duration as whole days, at least one: what is kept is looked through once a day.
  private mutating func days(_ node: Node, _ key: String) -> Int? {
    guard let duration = parsedOne(node, key, by: Duration.init(parsing:)) else { return nil }
    let days = (duration.wholeMilliseconds + 86_399_999) / 86_400_000
    return Int(min(max(1, days), Int64(Retention.daysMax)))
  }

  private mutating func storeSize(_ node: Node, _ key: String) -> Int64? {
    guard let size = parsedOne(node, key, by: ByteSize.init(parsing:)) else { return nil }
    if size.bytes < Retention.bytesMin {
      note(node, "\(key) must be at least \(ByteSize(bytes: Retention.bytesMin))")
    }
    return size.bytes
  }

  private mutating func lane(_ node: Node) -> LaneRule? {
    guard let mapping = mapping(node, "a lane") else { return nil }
    var rule = LaneRule()
    for (key, _, node) in entries(mapping, LaneKey.self) {
      switch key {
      case .connections:
        let count = count(node, "connections", 1...LaneRule.connectionsMaxAllowed)
        rule.connectionsMax = count ?? rule.connectionsMax
      case .gap:
        guard let gap = parsedOne(node, "gap", by: Duration.init(parsing:)) else { continue }
        rule.gap = gap
        if gap > LaneRule.gapMax {
          note(node, "gap must be at most \(LaneRule.gapMax.shortText)")
        }
      }
    }
    return rule
  }
}
