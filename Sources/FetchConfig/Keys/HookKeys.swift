import FetchModel
import FetchValues

/// The target into which the keys of a hook are read.
struct HookReading {
  var hook: HookConfig
  var isOfJob: Bool
}

/// The keys of one hook: the keys that every kind of hook has, then one key for each kind of sink.
enum HookKeys {
  private typealias Key = ConfigKey<HookReading>

  private static let digestAllowed: ClosedRange<Duration> = .seconds(1)...(.seconds(31 * 86_400))
  private static let ageAllowed: ClosedRange<Duration> = .seconds(1)...(.seconds(3660 * 86_400))

  static let all = ConfigKeys<HookReading>(what + delivery + SinkKeys.all.map(\.key))

  private static let what: [Key] = [
    Key("name", as: .text, "unique name, under which deliveries are stored", isRequired: true) {
      reader, value, target in
      guard let name = reader.text(value.node, value.path) else { return }
      target.hook.name = HookName(name)
      if !HookConfig.isName(name) {
        reader.note(value.node, "invalid hook name '\(name)': use \(HookConfig.nameRule)")
      }
    },
    Key(
      "on", as: .events, "events that the hook reports",
      default: "`added`; for `lua`, the events for which the file has functions"
    ) { reader, value, target in
      target.hook.eventPlaces = reader.events(value.node)
      target.hook.events = Set(target.hook.eventPlaces.map(\.event))
      target.hook.namesEvents = true
    },
    Key("when", .filter, "only items that meet this condition") { $0.hook.filter = $1 },
    Key("jobs", as: .names, "only these jobs") { reader, value, target in
      guard let names = reader.scope(value, in: target) else { return }
      target.hook.scope = .jobs(names.map { JobName($0) })
    },
    Key("plugins", as: .names, "only jobs of these plugins, by the names in their manifests") {
      reader, value, target in
      guard let names = reader.scope(value, in: target) else { return }
      target.hook.scope = .plugins(names.map { PluginName($0) })
    },
  ]

  private static let delivery: [Key] = [
    Key(
      "batch", as: .choice(["run", "each"]), "one delivery per run, or per item",
      default: "run"
    ) { reader, value, target in
      guard let word = reader.text(value.node, value.path) else { return }
      if word == "each" { target.hook.batching = .each }
      if word != "each", word != "run" { reader.note(value.node, "batch must be 'run' or 'each'") }
    },
    Key(
      "digest", .duration(digestAllowed),
      "one delivery per period of this length, for all jobs of the hook together"
    ) { $0.hook.batching = .digest($1) },
    Key(
      "rate", .rate,
      "the maximum number of deliveries per hour or day; further deliveries wait"
    ) { $0.hook.rate = $1 },
    Key(
      "failures", .count(HookConfig.failuresInRowAllowed),
      "number of consecutive failures after which `failed` is sent", default: "3"
    ) { $0.hook.failuresInRow = $1 },
    Key(
      "stale_after", .duration(ageAllowed),
      "time without a successful run after which `stale` is sent"
    ) { $0.hook.staleAfter = $1 },
    Key(
      "quiet_after", .duration(ageAllowed),
      "time without new data after which `stale` is sent"
    ) { $0.hook.quietAfter = $1 },
    Key(
      "dead_after", .duration(ageAllowed),
      "time after which a delivery that keeps failing is given up",
      default: "3d"
    ) { $0.hook.deadAfter = $1 },
  ]
}
