import FetchModel
import FetchValues

extension ConfigReader {
  /// Reads a job. Missing keys have the values of the template. Returns nil if the node is not a
  /// mapping, or has no readable name or plugin.
  mutating func job(_ node: Node, _ template: JobConfig) -> JobConfig? {
    guard let mapping = mapping(node, "a job") else { return nil }
    var reading = JobReading(job: template)
    reading.job.file = file
    let place = node.place
    (reading.job.line, reading.job.column) = (place.line, place.column)
    let entries = entries(mapping, JobKeys.all)
    // A loop over the elements instead of the indices would copy each value.
    for index in entries.indices { entries[index].key.read(&self, entries[index], &reading) }
    if case .every(let interval)? = reading.job.interval, reading.job.jitter > interval {
      let place = entries["jitter"] ?? entries["interval"]
      note(
        place?.node ?? node,
        "jitter \(reading.job.jitter.shortText) is longer than the interval \(interval.shortText); use a"
          + " shorter jitter")
    }
    // A key whose value cannot be read has a message of its own.
    guard !reading.job.plugin.isEmpty else {
      if entries["plugin"] == nil { note(node, "the job has no plugin; add plugin: NAME") }
      return nil
    }
    guard !reading.job.name.isEmpty else {
      if entries["name"] == nil { note(node, "the job has no name; add name: NAME") }
      return nil
    }
    for index in reading.job.hooks.indices {
      reading.job.hooks[index].scope = .jobs([reading.job.name])
    }
    checkAllowed(reading.job, entries["allow"]?.node)
    return reading.job
  }

  /// Returns the name of the job. Reports an invalid name. Returns an empty string if the name is
  /// empty or cannot be read.
  mutating func name(_ node: Node) -> String {
    guard let text = text(node, "name") else { return "" }
    guard !text.isEmpty else {
      note(node, "the name is empty; write name: NAME")
      return ""
    }
    // The web page of a job has the job's name in its address. Browsers remove `.` and `..` from
    // addresses.
    if text == "." || text == ".." { note(node, "the name '\(text)' is reserved; use another one") }
    return line(node, "name") ?? text
  }

  mutating func firstRun(_ node: Node) -> FirstRunRule? {
    guard let text = text(node, "first_run") else { return nil }
    if let rule = FirstRunRule(text) { return rule }
    note(
      node,
      "invalid first_run '\(text.prefix(60))': use all, baseline, or latest:N for the N newest"
        + " items, such as latest:10")
    return nil
  }

  mutating func setOptions(to node: Node, in job: inout JobConfig) {
    guard case .mapping(let mapping, _) = node, let object = value(node).objectValue else {
      return note(node, "options must be a mapping of names and values")
    }
    job.options = object
    job.optionPlaces = mapping.map { $0.key.place }
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

  mutating func days(_ node: Node) -> Weekdays {
    if case .sequence(let list, _) = node, list.isEmpty {
      note(
        node,
        "`days` is empty; write `days: daily` to allow every day, or disable the job with"
          + " `enabled: false`")
    }
    return parsed(node, "days", by: Weekdays.init(parsing:)).reduce(nil) { all, days in
      all?.union(days) ?? days
    } ?? .all
  }

  mutating func conditions(_ node: Node) -> Conditions {
    var conditions = Conditions()
    for (text, node) in texts(node, "conditions") {
      do { try conditions.add(parsing: text) } catch {
        note(node, "conditions: \(error.description)")
      }
    }
    return conditions
  }

  // MARK: Limits

  mutating func setTimeout(to node: Node, in reading: inout JobReading) {
    guard let text = text(node, "timeout"),
      parsedOne(node, "timeout", by: Duration.init(parsing:)) != nil
    else { return }
    var checked = RunLimits()
    do { try checked.set("window", to: .string(text)) } catch {
      note(node, "timeout must be a duration above 0s and at most 1d, such as 30s")
      return
    }
    reading.job.limits["window"] = .string(text)
    reading.hasTimeout = true
    if reading.hasWindow { noteBoth(node) }
  }

  mutating func setLimits(to node: Node, in reading: inout JobReading) {
    let limits = limits(node, "limits")
    for member in limits.members { reading.job.limits[member.key] = member.value }
    guard limits["window"] != nil else { return }
    reading.hasWindow = true
    let key = node.mapping?.first { $0.key.string == "window" }?.key
    if reading.hasTimeout { noteBoth(key ?? node) }
  }

  mutating func limits(_ node: Node, _ what: String) -> ValueObject {
    var limits = ValueObject()
    guard let mapping = mapping(node, what) else { return limits }
    var checked = RunLimits()
    for (key, child) in mapping {
      guard let name = key.string else {
        note(key, "a limit's name must be a string")
        continue
      }
      let value = value(child)
      do { try checked.set(name, to: value) } catch {
        note(key, error.description)
        continue
      }
      limits[name] = value
    }
    return limits
  }

  private mutating func noteBoth(_ node: Node) {
    note(node, "`timeout` and the limit `window` are the same setting; remove one")
  }
}
