package import FetchValues

/// The conversion of a manifest's permission requests into hostnames and paths, with the values of
/// options inserted.
package enum PermissionResolution {
  /// Returns the name of the option in an entry such as `{options.url}`; nil for an entry that is
  /// not of this form.
  package static func optionName(in entry: String) -> String? {
    let prefix: StaticString = "{options."
    let count = prefix.utf8CodeUnitCount
    var entry = entry
    return entry.withUTF8 { entry in
      guard entry.count > count, entry.last == UInt8(ascii: "}"),
        (0..<count).allSatisfy({ entry[$0] == prefix.utf8Start[$0] })
      else { return nil }
      return String(decoding: entry[count..<(entry.count - 1)], as: UTF8.self)
    }
  }

  /// Returns the hostnames that a manifest requests, with the values of options inserted. An option
  /// adds the hostname of its URL, or of each URL in its list, also with a port that is not the
  /// default. A missing option adds no hostname. A `file:` URL adds no hostname, because its file
  /// needs a read grant.
  package static func hosts(
    asked request: PermissionRequest, options: ValueObject
  ) -> [HostPattern] {
    hosts(request.http, options)
  }

  /// Returns the hostnames for the entries in `permissions.http`.
  package static func hosts(_ entries: [String], _ options: ValueObject) -> [HostPattern] {
    var hosts: [HostPattern] = []
    func add(_ pattern: HostPattern) {
      if !hosts.contains(pattern) { hosts.append(pattern) }
    }
    for entry in entries {
      guard let name = optionName(in: entry) else {
        if let pattern = HostPattern(entry) { add(pattern) }
        continue
      }
      for value in options[name].map({ $0.arrayValue ?? [$0] }) ?? [] {
        if let text = value.stringValue, let target = try? TargetURL(text) {
          for pattern in HostPattern.all(of: target) { add(pattern) }
        }
      }
    }
    return hosts
  }

  /// Returns the absolute paths for the entries in `permissions.read`. An option may contain a
  /// path, a `file:` URL, or a list of these. Relative paths, and paths with `..` or a NUL byte,
  /// are dropped.
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

  /// Returns the server addresses in an option's value, including those inside lists and tables.
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
    // `*` covers the value of any option, because the user wrote the value.
    if own == "*" || own == "*:*", PermissionResolution.optionName(in: other) != nil { return true }
    if ExactText(own) == ExactText(other) { return true }
    guard let own = HostPattern(own), let other = HostPattern(other) else { return false }
    return own.covers(other)
  }

  /// Whether the path is the folder itself or is inside the folder. Whole names are compared, so
  /// `/srv/data` does not contain `/srv/data2`. A path with `..` is not inside any folder.
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
