import FetchValues
import Yams

/// Reads the keys of a mapping.
extension ConfigReader {
  /// - Parameter keys: those that it may have, for a message.
  mutating func mapping(_ node: Node, _ what: String, keys: [String] = []) -> Node.Mapping? {
    if case .mapping(let mapping) = node { return mapping }
    let listed = keys.isEmpty ? "" : ": " + keys.joined(separator: ", ")
    note(node, "\(what) must be a mapping of keys and values\(listed)")
    return nil
  }

  /// Returns the known keys of a mapping with their values; notes unknown ones.
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

  /// The known keys of a mapping with their values, in the order of the file. Notes unknown keys.
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
        note(keyNode, "unknown key '\(name)'\(NearestName.hint(name, among: keys.all.map(\.name)))")
      }
    }
    return entries
  }

  /// Reads a mapping into `target`, which already holds the defaults. Notes missing required keys.
  /// - Parameter what: the mapping's name in messages.
  /// - Returns: whether it is a mapping with all the required keys, with mistakes or without.
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
