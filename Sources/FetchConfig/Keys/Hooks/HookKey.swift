import FetchModel
import FetchValues

/// The keys of one hook.
enum HookKey: String, ConfigKey {
  case name
  case on
  case when
  case jobs
  case plugins
  case batch
  case digest
  case rate
  case failures
  case staleAfter = "stale_after"
  case quietAfter = "quiet_after"
  case deadAfter = "dead_after"
  case webhook
  case command
  case file
  case email
  case lua

  /// Where deliveries go, of which a hook has one.
  static let sinks: [HookKey] = [.webhook, .command, .file, .email, .lua]

  var isSink: Bool { Self.sinks.contains(self) }

  var entry: ConfigEntry {
    switch self {
    case .name: ConfigEntry(.text, "what its deliveries belong to; unique", isRequired: true)
    case .on:
      ConfigEntry(
        .events, "what it is told of", default: "added; of `lua` what it has functions for")
    case .when: ConfigEntry(.filter, "only items for which this holds")
    case .jobs: ConfigEntry(.names, "only these jobs")
    case .plugins:
      ConfigEntry(.names, "only jobs of these plugins, by the names in their manifests")
    case .batch:
      ConfigEntry(
        .choice(["run", "each"]), "a delivery for the news of a run, or for each item",
        default: "run")
    case .digest:
      ConfigEntry(.duration, "a delivery of all that came in so long, of all its jobs together")
    case .rate: ConfigEntry(.rate, "deliveries at most; more wait")
    case .failures:
      ConfigEntry(
        .count(HookConfig.failuresInRowAllowed), "failures in a row until `failed` is told",
        default: "3")
    case .staleAfter: ConfigEntry(.duration, "`stale` is told when no run went well for so long")
    case .quietAfter:
      ConfigEntry(.duration, "`stale` is told when no run brought anything new for so long")
    case .deadAfter:
      ConfigEntry(.duration, "what is not delivered for so long is given up", default: "3d")
    case .webhook: ConfigEntry(.webhook, "a POST of the delivery's JSON")
    case .command: ConfigEntry(.command, "a program, with the delivery's JSON as its input")
    case .file: ConfigEntry(.fileSink, "a file of JSON lines, or a feed")
    case .email: ConfigEntry(.email, "a message by SMTP")
    case .lua: ConfigEntry(.luaHook, "a hook file, run in the sandbox")
    }
  }
}
