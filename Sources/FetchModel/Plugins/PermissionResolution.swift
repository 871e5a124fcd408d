package import FetchValues

/// Turns what a manifest asks for into what a run is granted.
package enum PermissionResolution {
  /// The option that an entry such as `{options.url}` refers to; nil for a plain entry.
  package static func optionName(in entry: String) -> String? {
    let prefix = "{options."
    guard entry.hasPrefix(prefix), entry.hasSuffix("}") else { return nil }
    return String(entry.dropFirst(prefix.count).dropLast())
  }

  /// The hostnames a manifest asks for with its options filled in. An option that is absent asks
  /// for nothing; one that holds several URLs (a list) asks for each, with its port; a `file:` URL asks for no
  /// hostname, its file needs a read grant of its own.
  package static func hosts(
    asked request: PermissionRequest, options: ValueObject
  ) -> [HostPattern] {
    hosts(request.http, options)
  }

  /// The same for any such entries.
  package static func hosts(_ entries: [String], _ options: ValueObject) -> [HostPattern] {
    var hosts: [HostPattern] = []
    for entry in entries {
      for pattern in patterns(entry, options) where !hosts.contains(pattern) {
        hosts.append(pattern)
      }
    }
    return hosts
  }

  /// The absolute paths in such entries of `permissions.read`: an option's may be written as a path
  /// or as a `file:` URL. What climbs is left out.
  package static func paths(_ entries: [String], _ options: ValueObject) -> [String] {
    entries.flatMap { entry -> [String] in
      guard let name = optionName(in: entry) else { return [entry] }
      let values = options[name].map { $0.arrayValue ?? [$0] } ?? []
      return values.compactMap(\.stringValue).map { text in
        guard let target = try? TargetURL(text), target.scheme == .file else { return text }
        return String(decoding: PercentEncoding.decode(target.path.utf8), as: UTF8.self)
      }
    }.filter { path in
      path.isAbsolutePath && !path.utf8.contains(0) && !path.pathNames.contains("..")
    }
  }

  private static func patterns(_ entry: String, _ options: ValueObject) -> [HostPattern] {
    guard let name = optionName(in: entry) else { return HostPattern(entry).map { [$0] } ?? [] }
    let values = options[name].map { $0.arrayValue ?? [$0] } ?? []
    return values.flatMap { value in
      guard let text = value.stringValue, let target = try? TargetURL(text) else {
        return [HostPattern]()
      }
      return HostPattern.all(of: target)
    }
  }

  /// The addresses of servers among the texts of an option's value, also those in lists and tables.
  package static func addresses(in value: Value) -> [TargetURL] {
    switch value {
    case .string(let text):
      guard let target = try? TargetURL(text), target.scheme != .file else { return [] }
      return [target]
    case .array(let list): return list.flatMap(addresses)
    case .object(let object): return object.members.flatMap { addresses(in: $0.value) }
    default: return []
    }
  }

  // MARK: Covering

  static func hosts(_ own: String, cover other: String) -> Bool {
    // What is in an option is the user's own word.
    if own == "*" || own == "*:*", PermissionResolution.optionName(in: other) != nil { return true }
    if ExactText(own) == ExactText(other) { return true }
    guard let own = HostPattern(own), let other = HostPattern(other) else { return false }
    return own.covers(other)
  }

  /// By whole names: `/srv/data` does not hold `/srv/data2`. What climbs is held by nothing.
  static func path(_ folder: String, holds path: String) -> Bool {
    if ExactText(folder) == ExactText(path) { return true }
    guard folder.isAbsolutePath, path.isAbsolutePath else { return false }
    let (names, own) = (names(path), names(folder))
    return !names.contains("..") && names.starts(with: own) { $0.utf8.elementsEqual($1.utf8) }
  }

  private static func names(_ path: String) -> [String] {
    path.pathNames.filter { $0 != "." }
  }
}
