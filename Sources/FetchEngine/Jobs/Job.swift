import Crypto
import FetchHost
package import FetchModel
package import FetchValues

/// One configured use of a plugin with everything that a run needs beforehand.
package struct Job: Sendable {
  /// The name, unique in a store; items, state and validators belong to it.
  package var name: String
  /// The key of its `JobIdentity`, if fetchrun gave the job its name.
  package var identity: String?
  package var plugin: Plugin
  /// The values of all declared options that have one.
  package var options: ValueObject
  package var grant: Grant
  /// See `JobDefinition.holdsToGrant`.
  package var holdsToGrant = false
  package var isolation: Isolation
  /// Whether it belongs to no config, so that hooks of the config are not notified of it.
  package var isGuest = false
  /// Placed beside the flags, where it takes no extra room: a daemon may have 10,000 jobs.
  private var packedFirstRun = FirstRunRule.packed(nil)

  /// The rule for items of the first run; nil for the plugin's own.
  package var firstRun: FirstRunRule? {
    get { FirstRunRule(packed: packedFirstRun) }
    set { packedFirstRun = FirstRunRule.packed(newValue) }
  }

  /// The limits that the config sets for the plugin; nil if it sets none.
  package var terms: GrantTerms?
  /// The sources of the granted secrets by name.
  package var secretSources: [String: SecretSource] = [:]
  package var limits = RunLimits()
  package var files = FilesSettings()

  /// See `GrantRule.Claim.lacking`.
  package var lacking: [String] { terms?.lacking ?? [] }

  /// The texts and numbers of the options that the user has set: they are not secret.
  private var clearTexts: [String] { options.textsSet(over: plugin.manifest.options) }

  /// The address that is checked before the plugin wakes; see `Manifest.wakeOn`.
  var wakeURL: String? {
    guard let entry = plugin.manifest.wakeOn else { return nil }
    guard let option = PermissionResolution.optionName(in: entry) else { return entry }
    return options[option]?.stringValue
  }

  /// The rules for recognising and comparing items, and for those of the first run.
  package var rules: ItemRules {
    var rules = plugin.manifest.items
    rules.firstRun = firstRun ?? rules.firstRun
    return rules
  }

  /// The hooks in the order of their calls.
  package var hooks: [LuaHook] = [] {
    didSet { reading = Self.reading(plugin.source, options, hooks) }
  }

  /// Returns the secrets for one run or one attempt at a transfer; nil if the job has none.
  func secrets(_ access: SecretAccess) -> RunSecrets? {
    if secretSources.isEmpty { return nil }
    return RunSecrets(
      grants: grant.secrets, sources: secretSources, access: access, clear: clearTexts)
  }

  /// See `Validators.reading`.
  package private(set) var reading: [UInt8]

  /// The identity of its requests: see `RunSummary.source`.
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

  /// Returns the reading. Hooks that drop or change items belong to it: with another filter, an
  /// unchanged body must be read again.
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
  /// Returns the texts and numbers of options whose value differs from the file's default.
  func textsSet(over specs: [OptionSpec]) -> [String] {
    members.filter { option in
      !specs.contains {
        ExactText($0.name) == ExactText(option.key) && $0.defaultValue == option.value
      }
    }.flatMap { $0.value.scalarTexts }
  }
}

extension FirstRunRule {
  /// Returns the rule packed into four bytes; larger counts are clamped.
  fileprivate static func packed(_ rule: FirstRunRule?) -> Int32 {
    switch rule {
    case nil: -2
    case .all?: -1
    case .baseline?: 0
    case .latest(let count)?: max(1, Int32(clamping: count))
    }
  }

  /// Returns nil if no rule was packed.
  fileprivate init?(packed: Int32) {
    switch packed {
    case 1...: self = .latest(Int(packed))
    case 0: self = .baseline
    case -1: self = .all
    default: return nil
    }
  }
}
