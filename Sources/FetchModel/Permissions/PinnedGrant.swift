package import FetchValues

/// The grant of a job's plugin: the file and its requests.
package struct PinnedGrant: Hashable, Sendable {
  package enum Source: String, Sendable, CaseIterable {
    /// The first run of a job: naming a plugin in a config grants its first requests.
    case firstRun
    /// `fetchrun --plugin`, which shows the plugin's permissions.
    case commandLine
    /// `fetchrun grant`.
    case agreement
  }

  /// The plugin's name, or the path of its file; another one is another choice.
  package var plugin: String
  /// See `PluginSource.contentHash`.
  package var hash: [UInt8]
  /// The stored text of `granted`, read only if a file has changed.
  package let text: String
  package var grantedAt: Timestamp
  package var source: Source
  /// Whether it is stored under another name of the file and must be stored again under this one.
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

  /// The granted requests; empty if the text cannot be read, so that every request is new.
  package var granted: AskedPermissions {
    (try? JSONReader.decode(Array(text.utf8), depthMax: 4)).flatMap(AskedPermissions.init)
      ?? AskedPermissions()
  }
  /// Returns the grant with the ports that its file requests, which are missing if it was stored by
  /// hostname; nil if it needs no change.
  package func adding(_ ports: [AskedPermission]) -> PinnedGrant? {
    let granted = granted
    let missing = ports.filter { !granted.covers($0) }
    if missing.isEmpty { return isOfOtherName ? underItsName : nil }
    return PinnedGrant(
      plugin: plugin, hash: hash, granted: granted.union(AskedPermissions(missing)), at: grantedAt,
      source: source)
  }

  /// The grant as it must be stored.
  package var underItsName: PinnedGrant {
    var grant = self
    grant.isOfOtherName = false
    return grant
  }
}

extension PinnedGrant {
  /// `{"plugin":…,"hash":…,"asks":[…],"at":…,"by":…}`
  package var value: Value {
    [
      "plugin": .string(plugin), "hash": .string(Hexadecimal.text(of: hash)),
      "asks": granted.value, "at": .integer(grantedAt.milliseconds),
      "by": .string(source.rawValue),
    ]
  }

  /// Reads such an object; nil for any other value.
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
