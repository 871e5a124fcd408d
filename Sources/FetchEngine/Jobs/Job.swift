package import FetchConfig
import FetchHost
package import FetchModel
package import FetchValues

/// One use of a plugin, with the settings that the runs of the job need.
package struct Job: Sendable {
  /// A reference to a value. A job without the value stores only a nil reference.
  private final class Boxed<Value: Sendable>: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  /// The name, unique in a store. Items, state and validators are stored under it.
  package var name: JobName
  /// The key of the job's `JobIdentity`. Nil if the job was made without a config. Also nil if the
  /// job's name is not one of the names that fetchrun gives to jobs with this identity.
  package var identity: String?
  package var plugin: Plugin
  /// The values of all declared options that have a value.
  package var options: ValueObject
  package var grant: Grant
  /// Whether a changed file must wait for approval if it requests permissions beyond its grant: see
  /// `JobConfig.holdsToGrant`.
  package var holdsToGrant = false
  package var isolation: Isolation
  /// Whether another process has requested the job's run from a daemon whose config does not have
  /// the job: see `GuestRuns`. Hooks do not receive the events of such a job.
  package var isGuest = false
  /// The packed form of `firstRun`. It fits into the unused bytes beside the Boolean properties, so
  /// a job needs no additional memory for it. This matters with 10,000 jobs.
  private var packedFirstRun = FirstRunRule.packed(nil)

  /// The rule for the items of the first run; nil if the rule in the plugin's file applies.
  package var firstRun: FirstRunRule? {
    get { FirstRunRule(packed: packedFirstRun) }
    set { packedFirstRun = FirstRunRule.packed(newValue) }
  }

  /// The limits that the config sets for the plugin's permissions, and the messages about missing
  /// or invalid options and secrets; nil if there are neither.
  package var terms: GrantTerms?
  /// The sources of the secrets that the config gives the job, by name.
  package var secretSources: [String: SecretSource] = [:]
  package var files = FilesSettings()

  private var ownLimits: Boxed<RunLimits>?
  /// The limits of the job's runs: the default limits with the plugin's window, unless the config
  /// sets other limits.
  package var limits: RunLimits {
    get { ownLimits?.value ?? usualLimits }
    set { ownLimits = newValue == usualLimits ? nil : Boxed(newValue) }
  }

  private var usualLimits: RunLimits {
    var limits = RunLimits()
    limits.window = plugin.manifest.window ?? limits.window
    return limits
  }

  private var boxedConfig: Boxed<JobConfig>?
  /// The config from which the job was made. Nil for a job that was made without a config. Also nil
  /// for a scheduled job, to save memory: a daemon may have 10,000 jobs.
  package var config: JobConfig? {
    get { boxedConfig?.value }
    set { boxedConfig = newValue.map(Boxed.init) }
  }

  /// The messages about missing or invalid options and secrets: see `GrantRule.Claim.lacking`.
  package var lacking: [String] { terms?.lacking ?? [] }

  /// The strings and numbers in the options whose values differ from the defaults. A secret value
  /// that equals one of these texts is not redacted: see `Redactor.init(clear:)`.
  private var clearTexts: [String] { options.textsSet(over: plugin.manifest.options) }

  /// The address that a run may request before it calls the plugin: see `Manifest.wakeOn`.
  var wakeURL: String? {
    guard let entry = plugin.manifest.wakeOn else { return nil }
    guard let option = PermissionResolution.optionName(in: entry) else { return entry }
    return options[option]?.stringValue
  }

  /// The rules for recognising and comparing items, and for the items of the first run.
  package var rules: ItemRules {
    var rules = plugin.manifest.items
    rules.firstRun = firstRun ?? rules.firstRun
    return rules
  }

  /// The hooks that take part in the job's runs, in the order in which they are called.
  package var hooks: [LuaHook] = [] {
    didSet { reading = Self.reading(plugin.source, options, hooks) }
  }

  /// Returns the secrets for one run or one attempt at a transfer; nil if the job has none.
  func secrets(_ access: SecretAccess) -> RunSecrets? {
    if secretSources.isEmpty { return nil }
    return RunSecrets(
      grants: grant.secrets, sources: secretSources, access: access, clear: clearTexts)
  }

  /// The hash of the code and the options with which the job reads a body: see
  /// `Validators.reading`.
  package private(set) var reading: [UInt8]

  /// The hash of the plugin's code and of the options: see `RunSummary.source`.
  var source: [UInt8] { Self.reading(plugin.source, options, []) }

  package init(name: JobName, plugin: Plugin, options: ValueObject, grant: Grant) {
    self.name = name
    self.plugin = plugin
    self.options = options
    self.grant = grant
    isolation = plugin.manifest.isolation
    reading = Self.reading(plugin.source, options, [])
  }

  /// Returns the hash `reading`. The hash includes the hooks that drop or change items: after a
  /// change of such a hook, an unchanged body must be read again.
  private static func reading(
    _ source: PluginSource, _ options: ValueObject, _ hooks: [LuaHook]
  ) -> [UInt8] {
    var writer = ValueWriter(reserving: 256)
    writer.write(bytes: source.contentHash)
    writer.write(.object(options.sortedByKey))
    for hook in hooks where hook.has(.onItem) {
      writer.write(bytes: hook.file.source.contentHash)
      writer.write(.object(hook.options.sortedByKey))
    }
    return Array(SHA256.hash(data: writer.bytes).prefix(16))
  }
}

extension Job {
  /// Creates a job whose plugin does not load. The runs of the job end with the given failure.
  package init(failing failure: Failure, _ config: JobConfig) {
    // The problems are ignored: the options cannot be checked without the plugin's file.
    self = config.fitted(to: Plugin(standingInFor: config.plugin, failure)).job
    holdsToGrant = false
  }
}

extension ValueObject {
  /// Returns the strings and numbers of the options whose value differs from the default in
  /// `specs`.
  func textsSet(over specs: [OptionSpec]) -> [String] {
    members.filter { option in
      !specs.contains {
        ExactText($0.name) == ExactText(option.key) && $0.defaultValue == option.value
      }
    }.flatMap { $0.value.scalarTexts }
  }
}

extension FirstRunRule {
  /// Returns the rule packed into four bytes. Counts that are too large are clamped.
  fileprivate static func packed(_ rule: FirstRunRule?) -> Int32 {
    switch rule {
    case nil: -2
    case .all?: -1
    case .baseline?: 0
    case .latest(let count)?: max(1, Int32(clamping: count))
    }
  }

  fileprivate init?(packed: Int32) {
    switch packed {
    case 1...: self = .latest(Int(packed))
    case 0: self = .baseline
    case -1: self = .all
    default: return nil
    }
  }
}
