package import FetchValues

/// The stored grant of a plugin or hook file: the file and the permissions that were granted to the
/// file.
package struct PinnedGrant: Hashable, Sendable {
  package enum Source: String, Sendable, CaseIterable {
    /// The first run of a plugin or hook file. Naming the file in the config grants its first
    /// requests, except those to read files.
    case firstRun
    /// The command `fetchrun --plugin`, which shows the plugin's permissions.
    case commandLine
    /// The user's agreement with `fetchrun grant`.
    case agreement
  }

  /// The plugin's name as the user gave it, or the path of its file; not the name in its manifest.
  /// The grant is valid only for this name or path.
  package var plugin: String
  /// The hash of the plugin's source texts: see `PluginSource.contentHash`.
  package var hash: [UInt8]
  /// The stored JSON text of `granted`. It is parsed only if the permissions are needed.
  package let text: String
  package var grantedAt: Timestamp
  package var source: Source
  /// Whether the grant is stored under another name or path, and must be stored again under
  /// `plugin`.
  package var isOfOtherName = false

  package init(
    plugin: String, hash: [UInt8], granted: AskedPermissions, at: Timestamp, source: Source
  ) {
    self.init(
      plugin: plugin, hash: hash, text: (try? JSONWriter.text(granted.value)) ?? "[]", at: at,
      source: source)
  }

  package init(plugin: String, hash: [UInt8], text: String, at: Timestamp, source: Source) {
    self.plugin = plugin
    self.hash = hash
    self.text = text
    grantedAt = at
    self.source = source
  }

  /// The granted permissions; empty if the text is invalid, so that every request counts as new.
  package var granted: AskedPermissions {
    (try? JSONReader.decode(Array(text.utf8), depthMax: 4)).flatMap(AskedPermissions.init)
      ?? AskedPermissions()
  }
  /// Returns the grant with the missing permissions of `ports` added; nil if the grant needs no
  /// change. A stored grant may contain hostnames without ports.
  package func adding(_ ports: [AskedPermission]) -> PinnedGrant? {
    let granted = granted
    let missing = ports.filter { !granted.covers($0) }
    if missing.isEmpty { return isOfOtherName ? underItsName : nil }
    return PinnedGrant(
      plugin: plugin, hash: hash, granted: granted.union(AskedPermissions(missing)), at: grantedAt,
      source: source)
  }

  /// The grant in the form in which it must be stored under `plugin`.
  package var underItsName: PinnedGrant {
    var grant = self
    grant.isOfOtherName = false
    return grant
  }
}

extension PinnedGrant {
  /// The grant as JSON: `{"plugin":…,"hash":…,"asks":[…],"at":…,"by":…}`.
  package var value: Value {
    [
      "plugin": .string(plugin), "hash": .string(Hexadecimal.text(of: hash)),
      "asks": granted.value, "at": .integer(grantedAt.milliseconds),
      "by": .string(source.rawValue),
    ]
  }

  /// Reads a grant from JSON in the form of the property `value`; nil for any other value.
  package init?(_ value: Value) {
    guard let plugin = value["plugin"]?.stringValue,
      let hash = value["hash"]?.stringValue.flatMap({ Hexadecimal.bytes(of: Array($0.utf8)) }),
      let at = value["at"]?.integerValue,
      let granted = value["asks"].flatMap(AskedPermissions.init),
      let source = value["by"]?.stringValue.flatMap(Source.init)
    else { return nil }
    self.init(
      plugin: plugin, hash: hash, granted: granted, at: Timestamp(milliseconds: at),
      source: source)
  }
}
