import FetchValues

/// The reading of the keys of a mapping.
extension ConfigReader {
  /// Returns a node as a mapping. If the node is not a mapping, reports this and returns nil.
  ///
  /// - Parameter keys: the keys that the mapping may have. The message lists these keys.
  mutating func mapping(_ node: Node, _ what: String, keys: [String] = []) -> Node.Mapping? {
    if let mapping = node.mapping { return mapping }
    let listed = keys.isEmpty ? "" : ": " + keys.joined(separator: ", ")
    note(node, "\(what) must be a mapping of keys and values\(listed)")
    return nil
  }

  /// Returns the known keys of a mapping with their values. Unknown keys are reported.
  mutating func entries<Key: RawRepresentable<String> & CaseIterable>(
    _ mapping: Node.Mapping, _ keys: Key.Type
  ) -> [(key: Key, keyNode: Node, node: Node)] {
    var entries: [(key: Key, keyNode: Node, node: Node)] = []
    entries.reserveCapacity(mapping.count)
    for (keyNode, node) in mapping {
      let name = keyNode.string ?? ""
      if let key = Key(rawValue: name) {
        entries.append((key, keyNode, node))
      } else {
        let known = Key.allCases.map(\.rawValue)
        note(keyNode, "unknown key '\(name)'\(NearestName.hint(name, among: known))")
      }
    }
    return entries
  }

  /// Returns the known keys of a mapping with their values, in the order of the file. Unknown keys
  /// are reported.
  mutating func entries<Target>(
    _ mapping: Node.Mapping, _ keys: ConfigKeys<Target>
  ) -> [ConfigValue<Target>] {
    var entries: [ConfigValue<Target>] = []
    entries.reserveCapacity(mapping.count)
    for (keyNode, node) in mapping {
      let name = keyNode.string ?? ""
      if let key = keys[name] {
        let path = keys.prefix.isEmpty ? name : keys.prefix + name
        entries.append(ConfigValue(key: key, path: path, keyNode: keyNode, node: node))
      } else {
        let hint = NearestName.hint(name, among: keys.all.map(\.name))
        note(keyNode, "unknown key '\(name)'\(hint.isEmpty ? keys.unknownAdvice : hint)")
      }
    }
    return entries
  }

  /// Reads a mapping into `target`, which already has the defaults. Missing required keys are
  /// reported.
  /// - Parameter what: the mapping's name in messages.
  /// - Returns: whether the node is a mapping that has all required keys. Their values may have
  ///   mistakes.
  @discardableResult mutating func section<Target>(
    _ node: Node, _ what: String, _ keys: ConfigKeys<Target>, into target: inout Target
  ) -> Bool {
    guard let mapping = mapping(node, what, keys: keys.all.map(\.name)) else { return false }
    let entries = entries(mapping, keys)
    for entry in entries { entry.key.read(&self, entry, &target) }
    var isComplete = true
    for key in keys.all where key.entry.isRequired && entries[key.name] == nil {
      note(node, "\(what) needs \(key.name)")
      isComplete = false
    }
    return isComplete
  }
}
