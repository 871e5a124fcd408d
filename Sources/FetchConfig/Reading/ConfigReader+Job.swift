import FetchModel
import FetchValues
import Yams

extension ConfigReader {
  /// Where a mapping says how long a run may take: `timeout` and `limits.window` are one thing.
  struct LimitNodes {
    var hasTimeout = false
    var hasWindow = false
  }

  /// A job begins as the template; nil where it has no name or no plugin.
  mutating func job(_ node: Node, _ template: JobConfig) -> JobConfig? {
    guard let mapping = mapping(node, "a job") else { return nil }
    var job = template
    job.file = file
    let place = place(of: node)
    (job.line, job.column) = (place.line, place.column)
    var limits = LimitNodes()
    let entries = entries(mapping, JobKey.self)
    for (key, _, node) in entries { set(key, to: node, in: &job, &limits) }
    if case .every(let interval)? = job.interval, job.jitter > interval {
      let place = entries.first { $0.key == .jitter } ?? entries.first { $0.key == .interval }
      note(
        place?.node ?? node,
        "jitter \(job.jitter.shortText) is longer than the interval \(interval.shortText)")
    }
    guard !job.plugin.isEmpty else {
      note(node, "the job has no plugin; add plugin: NAME")
      return nil
    }
    guard !job.name.isEmpty else {
      note(node, "the job has no name; add name: NAME")
      return nil
    }
    for index in job.hooks.indices { job.hooks[index].scope = .jobs([job.name]) }
    checkAllowed(job, entries.first { $0.key == .allow }?.node)
    return job
  }

  mutating func set(
    _ key: JobKey, to node: Node, in job: inout JobConfig, _ limits: inout LimitNodes
  ) {
    let name = key.rawValue
    switch key {
    case .name: job.name = self.name(node)
    case .plugin:
      job.plugin = text(node, name) ?? ""
      job.pluginPlace = place(of: node)
    case .options: setOptions(to: node, in: &job)
    case .interval:
      job.interval = parsedOne(node, name, by: Interval.init(parsing:)) ?? job.interval
    case .jitter: setJitter(to: node, in: &job)
    case .between: job.windows = parsed(node, name, by: DayWindow.init(parsing:))
    case .days: job.days = days(node)
    case .zone: job.zone = zone(node, name) ?? job.zone
    case .timeout: setTimeout(to: node, in: &job, &limits)
    case .limits: setLimits(to: node, in: &job, &limits)
    case .priority:
      job.priority = parsedOne(node, name, by: Priority.init(parsing:)) ?? job.priority
    case .budget: job.budget = budget(node, over: job.budget, ofJob: true)
    case .conditions: setConditions(to: node, in: &job)
    case .catchUp: job.catchUp = choice(node, name, CatchUp.self) ?? job.catchUp
    case .firstRun: job.firstRun = firstRun(node) ?? job.firstRun
    case .enabled: job.isEnabled = flag(node, name)
    case .hosts: job.hosts += hosts(node)
    case .allow: setAllow(to: node, in: &job.allow)
    case .allowPrivate: setPrivate(to: node, name, in: &job.allow)
    case .watch: job.watchedPaths += texts(node, name).map(\.text)
    case .allowRead: set(.read, to: node, in: &job.allow)
    case .isolation: job.isolation = choice(node, name, Isolation.self)
    case .files: setFiles(to: node, in: &job)
    case .secrets: setSecrets(to: node, in: &job)
    case .hooks: job.hooks = hooks(node, ofJob: true)
    }
  }

  /// Empty where there is none.
  private mutating func name(_ node: Node) -> String {
    guard let text = text(node, "name"), !text.isEmpty else { return "" }
    return line(node, "name") ?? text
  }

  private mutating func firstRun(_ node: Node) -> FirstRunRule? {
    guard let text = text(node, "first_run") else { return nil }
    if let rule = FirstRunRule(text) { return rule }
    note(
      node,
      "invalid first_run '\(text.prefix(60))': use all, baseline, or the newest few, such as"
        + " latest:10")
    return nil
  }

  /// Longer ones would let a daily job leave days out.
  private static let jitterMax: Duration = .seconds(86_400)

  private mutating func setJitter(to node: Node, in job: inout JobConfig) {
    guard let jitter = parsedOne(node, "jitter", by: Duration.init(parsing:)) else { return }
    job.jitter = min(jitter, Self.jitterMax)
    if jitter > Self.jitterMax { note(node, "jitter must be at most \(Self.jitterMax.shortText)") }
  }

  private mutating func setOptions(to node: Node, in job: inout JobConfig) {
    guard case .mapping(let mapping) = node, let object = value(node).objectValue else {
      return note(node, "options must be a mapping of names and values")
    }
    job.options = object
    job.optionPlaces = mapping.map { place(of: $0.key) }
    if hasVariables { job.unreadOptions = unread(mapping) }
  }

  private func unread(_ mapping: Node.Mapping) -> Set<String> {
    var names: Set<String> = []
    for (key, child) in mapping {
      var reader = self
      _ = reader.value(child)
      if reader.problems.count > problems.count, let name = key.string { names.insert(name) }
    }
    return names
  }

  private mutating func setSecrets(to node: Node, in job: inout JobConfig) {
    let secrets = jobSecrets(node)
    job.secrets = secrets.map(\.given)
    job.secretPlaces = secrets.map(\.place)
  }

  private mutating func days(_ node: Node) -> Weekdays {
    if case .sequence(let list) = node, list.isEmpty {
      note(node, "days has none; leave it out for every day, and write 'enabled: false' for none")
    }
    return parsed(node, "days", by: Weekdays.init(parsing:)).reduce(nil) { all, days in
      all?.union(days) ?? days
    } ?? .all
  }

  private mutating func setConditions(to node: Node, in job: inout JobConfig) {
    var conditions = Conditions()
    for (text, node) in texts(node, "conditions") {
      do { try conditions.add(parsing: text) } catch {
        note(node, "conditions: \(error.description)")
      }
    }
    job.conditions = conditions
  }

  private mutating func setFiles(to node: Node, in job: inout JobConfig) {
    guard let mapping = mapping(node, "files") else { return }
    for (key, _, node) in entries(mapping, FilesKey.self) {
      let name = "files." + key.rawValue
      switch key {
      case .root: job.files.root = text(node, name) ?? job.files.root
      case .bytes:
        let size = parsedOne(node, name, by: ByteSize.init(parsing:))
        job.files.quota.bytes = size?.bytes ?? job.files.quota.bytes
      case .count:
        job.files.quota.count =
          count(node, name, FilesKey.countRange) ?? job.files.quota.count
      }
    }
  }

  // MARK: Limits

  private mutating func setTimeout(
    to node: Node, in job: inout JobConfig, _ nodes: inout LimitNodes
  ) {
    guard let text = text(node, "timeout") else { return }
    var checked = RunLimits()
    do { try checked.set("window", to: .string(text)) } catch {
      note(node, "timeout must be a duration such as 30s, at most 1d")
      return
    }
    job.limits["window"] = .string(text)
    nodes.hasTimeout = true
    if nodes.hasWindow { noteBoth(node) }
  }

  private mutating func setLimits(
    to node: Node, in job: inout JobConfig, _ nodes: inout LimitNodes
  ) {
    guard let mapping = mapping(node, "limits") else { return }
    var checked = RunLimits()
    for (key, child) in mapping {
      guard let name = key.string else { continue }
      let value = value(child)
      do { try checked.set(name, to: value) } catch {
        note(key, error.description)
        continue
      }
      job.limits[name] = value
      guard name == "window" else { continue }
      nodes.hasWindow = true
      if nodes.hasTimeout { noteBoth(key) }
    }
  }

  private mutating func noteBoth(_ node: Node) {
    note(node, "timeout and the limit window are the same; keep one")
  }
}
