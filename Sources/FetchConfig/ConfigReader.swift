import FetchModel
import Yams

/// Reads a config file strictly: an unknown key, a wrong kind or a duplicate name is a problem with
/// its place, and all problems are reported at once.
package struct ConfigReader {
  private let file: String
  /// Whether a scalar may carry an explicit tag (`!!str 10`).
  private let hasTags: Bool
  private var problems: [ConfigProblem] = []

  private init(file: String, hasTags: Bool) {
    self.file = file
    self.hasTags = hasTags
  }

  private static let topKeys = ["store", "plugins", "allow_private", "allow_read", "jobs"]
  private static let jobKeys = [
    "name", "plugin", "options", "allow_private", "allow_read", "isolation", "limits",
  ]

  /// Relative paths in the config stay relative: they are resolved from the file's folder by
  /// whoever opens them.
  package static func read(
    _ text: String, file: String
  ) -> Result<Config, ConfigProblems> {
    let hasTags = text.utf8.contains(UInt8(ascii: "!"))
    var reader = ConfigReader(file: file, hasTags: hasTags)
    do {
      // Yams holds every key and name against a dozen regular expressions: 45 us for each job.
      guard let root = try Yams.compose(yaml: text, hasTags ? .default : .basic) else {
        return .failure(
          ConfigProblems([ConfigProblem(file: file, "the file is empty; it needs a list of jobs")]))
      }
      let config = reader.config(root)
      return reader.problems.isEmpty ? .success(config) : .failure(ConfigProblems(reader.problems))
    } catch {
      return .failure(ConfigProblems([yamlProblem(error, file: file)]))
    }
  }

  private static func yamlProblem(_ error: any Error, file: String) -> ConfigProblem {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      ConfigProblem(file: file, line: mark.line, column: mark.column, "not YAML: \(problem)")
    case .duplicatedKeysInMapping(let keys, let context):
      ConfigProblem(
        file: file, line: context.mark.line, column: context.mark.column,
        "the key '\(keys.sorted().joined(separator: "', '"))' stands twice")
    default: ConfigProblem(file: file, "not YAML: \(error)")
    }
  }

  private mutating func config(_ root: Node) -> Config {
    var config = Config()
    config.file = file
    guard let mapping = mapping(root, "the file") else { return config }
    refuseUnknown(mapping, known: Self.topKeys)
    config.store = mapping["store"].flatMap { text($0, "store") }
    config.pluginFolders = mapping["plugins"].map { texts($0, "plugins") } ?? []
    let allowsPrivate = mapping["allow_private"].map { flag($0, "allow_private") } ?? false
    let readPaths = mapping["allow_read"].map { texts($0, "allow_read") } ?? []
    guard let jobs = mapping["jobs"] else {
      note(root, "there are no jobs; add a list: jobs:")
      return config
    }
    guard case .sequence(let list) = jobs else {
      note(jobs, "jobs must be a list of jobs, each beginning with '- name:'")
      return config
    }
    var lines: [ExactText: Int] = [:]
    for node in list {
      guard var job = job(node) else { continue }
      if let first = lines.updateValue(job.line, forKey: ExactText(job.name)) {
        note(node, "a job named '\(job.name)' stands in line \(first) already")
      }
      job.allowsPrivate = job.allowsPrivate || allowsPrivate
      job.readPaths = readPaths + job.readPaths
      config.jobs.append(job)
    }
    return config
  }

  private mutating func job(_ node: Node) -> JobConfig? {
    guard let mapping = mapping(node, "a job") else { return nil }
    refuseUnknown(mapping, known: Self.jobKeys)
    guard let pluginNode = mapping["plugin"], let plugin = text(pluginNode, "plugin") else {
      note(node, "the job has no plugin; add plugin: NAME")
      return nil
    }
    guard let nameNode = mapping["name"], let name = text(nameNode, "name"), !name.isEmpty else {
      note(node, "the job has no name; add name: NAME")
      return nil
    }
    var job = JobConfig(name: name, plugin: plugin, line: node.mark?.line ?? 0)
    if let options = mapping["options"] {
      guard let object = value(options).objectValue else {
        note(options, "options must be a mapping of names and values")
        return nil
      }
      job.options = object
    }
    job.allowsPrivate = mapping["allow_private"].map { flag($0, "allow_private") } ?? false
    job.readPaths = mapping["allow_read"].map { texts($0, "allow_read") } ?? []
    if let limits = mapping["limits"] { job.limits = self.limits(limits) }
    if let isolation = mapping["isolation"] {
      job.isolation = isolation.string.flatMap(Isolation.init(rawValue:))
      if job.isolation == nil { note(isolation, "isolation must be shared or run") }
    }
    return job
  }

  private mutating func limits(_ node: Node) -> ValueObject {
    guard let mapping = mapping(node, "limits") else { return ValueObject() }
    var limits = ValueObject()
    var checked = RunLimits()
    for (key, child) in mapping {
      guard let name = key.string else { continue }
      let value = value(child)
      do {
        try checked.set(name, to: value)
        limits.append(name, value)
      } catch { note(key, error.description) }
    }
    return limits
  }

  // MARK: Kinds

  private mutating func note(_ node: Node, _ message: String) {
    let mark = node.mark
    problems.append(
      ConfigProblem(file: file, line: mark?.line ?? 0, column: mark?.column ?? 0, message))
  }

  private mutating func mapping(_ node: Node, _ what: String) -> Node.Mapping? {
    if case .mapping(let mapping) = node { return mapping }
    note(node, "\(what) must be a mapping of keys and values")
    return nil
  }

  private mutating func refuseUnknown(_ mapping: Node.Mapping, known: [String]) {
    for (key, _) in mapping {
      guard let name = key.string, !known.contains(name) else { continue }
      note(key, "unknown key '\(name)'\(NearestName.hint(name, among: known))")
    }
  }

  private mutating func text(_ node: Node, _ key: String) -> String? {
    if case .scalar = node, let text = node.string { return text }
    note(node, "\(key) must be text")
    return nil
  }

  private mutating func texts(_ node: Node, _ key: String) -> [String] {
    guard case .sequence(let list) = node else {
      return text(node, key).map { [$0] } ?? []
    }
    return list.compactMap { text($0, key) }
  }

  private mutating func flag(_ node: Node, _ key: String) -> Bool {
    if let flag = node.bool { return flag }
    note(node, "\(key) must be true or false")
    return false
  }

  /// A node as a value, by YAML 1.2's core schema as Yams resolves tags.
  private mutating func value(_ node: Node) -> Value {
    switch node {
    case .mapping(let mapping):
      var object = ValueObject()
      for (key, child) in mapping {
        guard let name = key.string else {
          note(key, "a key must be text")
          continue
        }
        object.append(name, value(child))
      }
      return .object(object)
    case .sequence(let list): return .array(list.map { value($0) })
    case .scalar, .alias: return scalar(node)
    }
  }

  private func scalar(_ node: Node) -> Value {
    // A quoted scalar has the tag of a string, so "10" stays text.
    let tag = resolvedTag(of: node)
    if tag == Tag(.null) { return .null }
    if tag == Tag(.bool), let flag = node.bool { return .bool(flag) }
    if tag == Tag(.int), let number = node.int { return .integer(Int64(number)) }
    if tag == Tag(.float), let number = node.float { return .number(number) }
    return .string(node.string ?? "")
  }

  /// As Yams' default resolver has it, which is asked only where the text could be other than text.
  private func resolvedTag(of node: Node) -> Tag {
    guard !hasTags, case .scalar(let scalar) = node, scalar.style == .plain,
      scalar.string.utf8.first.map(Self.firstBytesOfOthers.contains) ?? true
    else { return node.tag }
    return Node.scalar(Node.Scalar(scalar.string)).tag
  }

  /// Of null, booleans, numbers, times, and YAML 1.1's merge and default keys.
  private static let firstBytesOfOthers = Set("~nNtTfFyYoO+-.0123456789<=".utf8)
}
