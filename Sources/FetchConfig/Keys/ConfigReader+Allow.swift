import FetchModel
import FetchValues

extension ConfigReader {
  /// Returns the values that earlier keys have set, followed by the values of the node. If the node
  /// is an empty list, the result is empty.
  private func sum<Element>(_ node: Node, _ earlier: [Element]?, _ read: [Element]) -> [Element] {
    if case .sequence(let list, _) = node, list.isEmpty { return [] }
    return (earlier ?? []) + read
  }

  mutating func setHosts(to node: Node, in allow: inout Allowance) {
    allow.hosts = sum(node, allow.hosts, hosts(node))
  }

  mutating func setRead(to node: Node, in allow: inout Allowance) {
    allow.readPaths = sum(node, allow.readPaths, texts(node, "read").map(\.text))
  }

  /// Adds the names in the node to a list in `allow`. If the node is an empty list, the list in
  /// `allow` becomes empty.
  ///
  /// - Parameter name: the name of the key in messages.
  mutating func set(
    _ names: WritableKeyPath<Allowance, [String]?>, to node: Node, _ name: String,
    in allow: inout Allowance
  ) {
    allow[keyPath: names] = sum(node, allow[keyPath: names], texts(node, name).map(\.text))
  }

  /// Sets the paths that the job may write. A list is added to the paths that an earlier key has
  /// set. `true`, `false` or an empty list replaces these paths.
  mutating func setWrite(to node: Node, in allow: inout Allowance) {
    guard case .sequence(let list, _) = node else {
      let flag = value(node).boolValue
      if flag == nil { note(node, "write must be true, false or a list of paths") }
      (allow.keepsFiles, allow.writePaths) = (flag ?? false, nil)
      return
    }
    let paths = parsed(node, "write", by: FilePath.init)
    let earlier = list.isEmpty ? nil : allow.writePaths
    allow.keepsFiles = !list.isEmpty
    allow.writePaths = list.isEmpty ? nil : (earlier ?? []) + paths
  }

  mutating func privateAddresses(_ node: Node, _ name: String) -> PrivateAddresses {
    if case .scalar = node, let flag = value(node).boolValue { return PrivateAddresses(flag) }
    let blocks = parsed(node, name, by: AddressBlock.init(parsing:))
    return blocks.isEmpty ? .none : .within(blocks)
  }

  /// Reports the job's secrets and commands that the job's permissions do not allow. Also reports
  /// names in `allow.secrets` that no secret of the job has.
  ///
  /// - Parameter allow: the value of the key `allow` in the job; nil if the job has no such key.
  mutating func checkAllowed(_ job: JobConfig, _ allow: Node?) {
    if let allow { checkNames(allow, job) }
    for (secret, place) in zip(job.secrets, job.secretPlaces) {
      if !job.allow.permits(secret: secret.name) {
        let hint = NearestName.hint(secret.name, among: job.allow.secrets ?? [])
        note(
          place,
          "`allow` does not permit the secret '\(secret.name)' for the job '\(job.name)'\(hint); "
            + "add the secret to `allow.secrets`, or remove it here")
      }
      check(secret.source.commands, of: "the secret '\(secret.name)'", at: place, job)
    }
    if let source = job.push?.secret {
      check(
        source.commands, of: "the secret of `push`",
        at: ConfigPlace(line: job.line, column: job.column), job)
    }
    for hook in job.hooks {
      let place = ConfigPlace(line: hook.place.line, column: hook.place.column)
      check(hook.sink.commands, of: "the hook '\(hook.name)'", at: place, job)
    }
  }

  /// Reports the hook file's secrets and commands that the hook file's permissions do not allow.
  mutating func checkAllowed(_ hook: LuaHookSettings, _ secrets: [PlacedSecret]) {
    for secret in secrets {
      let (given, place) = (secret.given, secret.place)
      if !hook.allow.permits(secret: given.name) {
        let hint = NearestName.hint(given.name, among: hook.allow.secrets ?? [])
        note(
          place,
          "`allow` does not permit the secret '\(given.name)' for the hook\(hint); add the secret "
            + "to `allow.secrets`, or remove it here")
      }
      for program in given.source.commands.compactMap(\.first)
      where !hook.allow.permits(command: program) {
        let hint = NearestName.hint(program, among: hook.allow.commands ?? [])
        note(
          place,
          "the secret '\(given.name)' needs the program '\(program)', which `allow` does not permit "
            + "for the hook\(hint); add the program to `allow.commands`")
      }
    }
  }

  private mutating func check(
    _ commands: [[String]], of who: String, at place: ConfigPlace, _ job: JobConfig
  ) {
    for program in commands.compactMap(\.first) where !job.allow.permits(command: program) {
      let hint = NearestName.hint(program, among: job.allow.commands ?? [])
      note(
        place,
        "\(who) needs the program '\(program)', which `allow` does not permit for the job "
          + "'\(job.name)'\(hint); add the program to `allow.commands`")
    }
  }

  /// Reports each name in `allow.secrets` that no secret of the job has.
  private mutating func checkNames(_ allow: Node, _ job: JobConfig) {
    let known = job.secrets.map(\.name)
    let list = allow.mapping?.first { $0.key.string == "secrets" }?.value
    guard let list else { return }
    for (name, node) in texts(list, "allow.secrets")
    where !known.contains(where: { ExactText($0) == ExactText(name) }) {
      note(
        node,
        "allow.secrets: the job '\(job.name)' has no secret '\(name)'"
          + NearestName.hint(name, among: known)
          + "; remove the name, or add the secret to `secrets` of the job")
    }
  }
}
