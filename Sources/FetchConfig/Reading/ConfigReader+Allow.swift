import FetchModel
import Yams

extension ConfigReader {
  /// What is written is added to what holds already.
  mutating func setAllow(to node: Node, in allow: inout Allowance) {
    guard let mapping = mapping(node, "allow") else { return }
    for (key, _, node) in entries(mapping, AllowKey.self) {
      switch key {
      case .hosts: allow.hosts = (allow.hosts ?? []) + hosts(node)
      case .privateAddresses:
        allow.privateAddresses = allow.privateAddresses.union(privateAddresses(node))
      case .read: allow.readPaths += texts(node, "read").map(\.text)
      case .write: allow.keepsFiles = flag(node, "write")
      case .secrets:
        allow.secrets = (allow.secrets ?? []) + texts(node, "allow.secrets").map(\.text)
      case .commands:
        allow.commands = (allow.commands ?? []) + texts(node, "allow.commands").map(\.text)
      }
    }
  }

  private mutating func privateAddresses(_ node: Node) -> PrivateAddresses {
    if case .scalar = node, let flag = value(node).boolValue { return PrivateAddresses(flag) }
    let blocks = parsed(node, "private", by: AddressBlock.init(parsing:))
    return blocks.isEmpty ? .none : .within(blocks)
  }

  /// What a job has of secrets and commands against what it is allowed.
  /// - Parameter allow: what the job itself says of that.
  mutating func checkAllowed(_ job: JobConfig, _ allow: Node?) {
    if let allow { checkNames(allow, job) }
    for (secret, place) in zip(job.secrets, job.secretPlaces) {
      if !job.allow.permits(secret: secret.name) {
        let hint = NearestName.hint(secret.name, among: job.allow.secrets ?? [])
        note(
          place,
          "`allow` does not give the job '\(job.name)' its secret '\(secret.name)'\(hint); "
            + "add it to allow.secrets, or leave it out here")
      }
      check(secret.source.commands, of: "the secret '\(secret.name)'", at: place, job)
    }
    for hook in job.hooks {
      let place = ConfigPlace(line: hook.place.line, column: hook.place.column)
      check(hook.sink.commands, of: "the hook '\(hook.name)'", at: place, job)
    }
  }

  private mutating func check(
    _ commands: [[String]], of who: String, at place: ConfigPlace, _ job: JobConfig
  ) {
    for program in commands.compactMap(\.first) where !job.allow.permits(command: program) {
      let hint = NearestName.hint(program, among: job.allow.commands ?? [])
      note(
        place,
        "\(who) starts '\(program)', which `allow` does not give the job '\(job.name)'"
          + "\(hint); add it to allow.commands")
    }
  }

  /// A name that is given no secret is most likely a slip.
  private mutating func checkNames(_ allow: Node, _ job: JobConfig) {
    let known = job.secrets.map(\.name)
    let list = allow.mapping?.first { $0.key.string == AllowKey.secrets.rawValue }?.value
    guard let list else { return }
    for (name, node) in texts(list, "allow.secrets")
    where !known.contains(where: { ExactText($0) == ExactText(name) }) {
      note(
        node,
        "allow.secrets: the job '\(job.name)' has no secret '\(name)'"
          + NearestName.hint(name, among: known))
    }
  }
}
