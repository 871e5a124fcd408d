import FetchModel

/// The keys of a job's `push`.
enum PushKeys {
  private typealias Key = ConfigKey<PushSettings>

  static let signature = "signature"

  static let all = ConfigKeys<PushSettings>(
    prefix: "push.",
    [
      Key(
        "secret", .secret,
        "the secret with which the sender signs; pushes to the job's address must then be signed"
      ) { $0.secret = $1 },
      Key(
        signature, .choice(PushSettings.Signature.self),
        "how the sender signs: `github` is the header `X-Hub-Signature-256`, as GitHub sends it",
        default: "github"
      ) { $0.signature = $1 },
      Key(
        "poll", .duration(.seconds(60)...PushSettings.pollMax),
        "how often to poll the source while a hub pushes its updates, if the interval is shorter",
        default: "the interval"
      ) { $0.poll = $1 },
    ])
}

extension ConfigReader {
  mutating func push(_ node: Node, over template: PushSettings?) -> PushSettings {
    var push = template ?? PushSettings()
    section(node, "push", PushKeys.all, into: &push)
    if push.secret == nil,
      let key = node.mapping?.first(where: { $0.key.string == PushKeys.signature })?.key
    {
      note(
        key,
        "`push.signature` has no effect without `push.secret`: add `push.secret`, or remove"
          + " `push.signature`")
    }
    return push
  }
}
