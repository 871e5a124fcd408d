package import FetchValues

/// What a job's plugin was granted: which file it was, and what that asked for.
package struct PinnedGrant: Hashable, Sendable {
  package enum Source: String, Sendable, CaseIterable {
    /// The first run of a job: who names a plugin in a config gives it what it asks for then.
    case firstRun
    /// `fetchrun --plugin`, which shows what the plugin may do.
    case commandLine
    /// `fetchrun grant`.
    case agreement
  }

  /// The plugin by its name, or by the path of its file: another one is another choice.
  package var plugin: String
  /// See `PluginSource.contentHash`.
  package var hash: [UInt8]
  /// `granted` as it is stored: read only when a file has changed.
  package let text: String
  package var grantedAt: Timestamp
  package var source: Source
  /// Whether it is stored under another name of the file, and is to be stored anew under this one.
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

  /// Nothing where the text cannot be read: then whatever is asked for is more.
  package var granted: AskedPermissions {
    (try? JSONReader.decode(Array(text.utf8), depthMax: 4)).flatMap(AskedPermissions.init)
      ?? AskedPermissions()
  }
  /// The grant with the ports that its file asks for, which one that was stored by hostname lacks; nil
  /// where it is stored as it is to be.
  package func adding(_ ports: [AskedPermission]) -> PinnedGrant? {
    let granted = granted
    let missing = ports.filter { !granted.covers($0) }
    if missing.isEmpty { return isOfOtherName ? underItsName : nil }
    return PinnedGrant(
      plugin: plugin, hash: hash, granted: granted.union(AskedPermissions(missing)), at: grantedAt,
      source: source)
  }

  /// As it is to be stored.
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

  /// Nil for what is no such object.
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
