package import FetchValues

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
