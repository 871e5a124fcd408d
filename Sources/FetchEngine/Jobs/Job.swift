import Crypto
import FetchHost
package import FetchModel
package import FetchValues

/// One configured use of a plugin: all that a run needs to know beforehand.
package struct Job: Sendable {
  /// Unique in a store; items, state and validators belong to this name.
  package var name: String
  /// The key of its `JobIdentity`, if the name is one that fetchrun gives such a job.
  package var identity: String?
  package var plugin: Plugin
  /// Every declared option that has a value.
  package var options: ValueObject
  package var grant: Grant
  /// See `JobDefinition.holdsToGrant`.
  package var holdsToGrant = false
  package var isolation: Isolation
  /// Whether it belongs to no config, so that hooks of the config hear nothing of it.
  package var isGuest = false
  /// Beside the flags, where it takes no room of its own: a daemon may have 10,000 jobs.
  private var packedFirstRun = FirstRunRule.packed(nil)

  /// Which items of the first run are news; nil for what the plugin says.
  package var firstRun: FirstRunRule? {
    get { FirstRunRule(packed: packedFirstRun) }
    set { packedFirstRun = FirstRunRule.packed(newValue) }
  }

  /// What the config holds the plugin to; nil for nothing.
  package var terms: GrantTerms?
  /// Where the values of the granted secrets are, by their names.
  package var secretSources: [String: SecretSource] = [:]
  package var limits = RunLimits()
  package var files = FilesSettings()

  /// See `GrantRule.Claim.lacking`.
  package var lacking: [String] { terms?.lacking ?? [] }

  /// Texts and numbers of the options that the user has set: no secret is kept of them.
  private var clearTexts: [String] { options.textsSet(over: plugin.manifest.options) }

  /// Asked before the plugin wakes; see `Manifest.wakeOn`.
  var wakeURL: String? {
    guard let entry = plugin.manifest.wakeOn else { return nil }
    guard let option = PermissionResolution.optionName(in: entry) else { return entry }
    return options[option]?.stringValue
  }

  /// How items are recognised and compared, and which of the first run's are news.
  package var rules: ItemRules {
    var rules = plugin.manifest.items
    rules.firstRun = firstRun ?? rules.firstRun
    return rules
  }

  /// In the order in which they are called.
  package var hooks: [LuaHook] = [] {
    didSet { reading = Self.reading(plugin.source, options, hooks) }
  }

  /// For one run, or one attempt at a transfer; nil where the job has none.
  func secrets(_ access: SecretAccess) -> RunSecrets? {
    if secretSources.isEmpty { return nil }
    return RunSecrets(
      grants: grant.secrets, sources: secretSources, access: access, clear: clearTexts)
  }

  /// See `Validators.reading`.
  package private(set) var reading: [UInt8]

  /// What is asked of whom: see `RunSummary.source`.
  var source: [UInt8] { Self.reading(plugin.source, options, []) }

  package init(name: String, plugin: Plugin, options: ValueObject, grant: Grant) {
    self.name = name
    self.plugin = plugin
    self.options = options
    self.grant = grant
    isolation = plugin.manifest.isolation
    limits.window = plugin.manifest.window ?? limits.window
    reading = Self.reading(plugin.source, options, [])
  }

  /// What is dropped or changed belongs to how a body is read: with another filter, one that has not
  /// changed is to be read again.
  private static func reading(
    _ source: PluginSource, _ options: ValueObject, _ hooks: [LuaHook]
  ) -> [UInt8] {
    var writer = ValueWriter()
    writer.write(bytes: source.contentHash)
    writer.write(.object(options.sortedByKey))
    for hook in hooks where hook.has(.onItem) {
      writer.write(bytes: hook.file.source.contentHash)
      writer.write(.object(hook.options.sortedByKey))
    }
    return Array(SHA256.hash(data: writer.bytes).prefix(16))
  }
}

extension ValueObject {
  /// Texts and numbers of options whose value is not the default that the file has.
  func textsSet(over specs: [OptionSpec]) -> [String] {
    members.filter { option in
      !specs.contains {
        ExactText($0.name) == ExactText(option.key) && $0.defaultValue == option.value
      }
    }.flatMap { $0.value.scalarTexts }
  }
}

extension FirstRunRule {
  /// In four bytes; of more items than a source can have, as many as fit.
  fileprivate static func packed(_ rule: FirstRunRule?) -> Int32 {
    switch rule {
    case nil: -2
    case .all?: -1
    case .baseline?: 0
    case .latest(let count)?: max(1, Int32(clamping: count))
    }
  }

  /// Nil where none was packed.
  fileprivate init?(packed: Int32) {
    switch packed {
    case 1...: self = .latest(Int(packed))
    case 0: self = .baseline
    case -1: self = .all
    default: return nil
    }
  }
}
