import FetchModel

/// The keys at the top of the config file.
enum FileKey: String, ConfigKey {
  case store
  case plugins
  case sandbox
  case allowPrivate = "allow_private"
  case allowRead = "allow_read"
  case defaults
  case budget
  case lanes
  case transfers
  case secrets
  case secretsKey = "secrets_key"
  case keep
  case keepFailed = "keep_failed"
  case hooks
  case jobs

  var entry: ConfigEntry {
    switch self {
    case .store:
      ConfigEntry(
        .path, "where items, state and run records are kept",
        default: "$XDG_STATE_HOME/fetchrun/store.sqlite")
    case .plugins: ConfigEntry(.paths, "folders looked through before the usual plugin folders")
    case .sandbox:
      ConfigEntry(
        .choice(SandboxRule.allCases.map(\.rawValue)),
        "whether plugins run where the kernel refuses the system call filter that confines them",
        default: SandboxRule.required.rawValue)
    case .allowPrivate:
      ConfigEntry(
        .blocks, "private, loopback and link-local addresses that all jobs may reach",
        default: "none")
    case .allowRead:
      ConfigEntry(
        .paths, "files and folders that `file:` URLs and `files.folder` of all jobs may read")
    case .defaults: ConfigEntry(.defaults, "what holds for each job that does not say otherwise")
    case .budget: ConfigEntry(.budget, "what all jobs together may spend")
    case .lanes: ConfigEntry(.lanes, "how politely a hostname is asked")
    case .transfers:
      ConfigEntry(.transfers, "how the downloads that plugins ask for share what there is")
    case .secrets: ConfigEntry(.secrets, "secrets that jobs may be given by their names")
    case .secretsKey:
      ConfigEntry(
        .path, "the file with the key of stored secrets",
        default: "$XDG_CONFIG_HOME/fetchrun/secrets.key")
    case .keep: ConfigEntry(.keep, "how much the store keeps, and for how long")
    case .keepFailed:
      ConfigEntry(
        .count(0...Config.keptFailureCountMax),
        "of how many failed runs of a job the answers are kept, for `fetchrun replay`",
        default: "3")
    case .hooks: ConfigEntry(.hooks, "who is told of what the jobs bring, and of their failures")
    case .jobs: ConfigEntry(.jobs, "the jobs; more may lie in `jobs.d/*.yaml` beside the file")
    }
  }
}
