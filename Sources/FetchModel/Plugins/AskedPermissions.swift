package import FetchValues

/// All that a plugin's file asks for by its own words, whatever a job's options hold: what is
/// remembered with a grant, and what another version of the file is held against.
package struct AskedPermissions: Hashable, Sendable {
  /// Each once, in the order of the manifest.
  package private(set) var all: [AskedPermission] = []

  package init(_ permissions: [AskedPermission] = []) {
    for permission in permissions where !all.contains(permission) { all.append(permission) }
  }

  package var isEmpty: Bool { all.isEmpty }

  package func covers(_ permission: AskedPermission) -> Bool {
    all.contains { $0.covers(permission) }
  }

  /// What is asked for here and not covered there.
  package func beyond(_ granted: AskedPermissions) -> [AskedPermission] {
    all.filter { !granted.covers($0) }
  }

  package var withoutReads: AskedPermissions {
    AskedPermissions(all.filter { if case .read = $0 { false } else { true } })
  }

  package func union(_ other: AskedPermissions) -> AskedPermissions {
    AskedPermissions(all + other.all)
  }
}

// MARK: From a manifest

extension AskedPermissions {
  /// What a manifest asks for. A default of an option is the file's own word: where an entry names
  /// that option, the default's hostname is asked for as well, but not that of an option in `given`,
  /// which the user has set.
  package init(_ manifest: Manifest, keepsFiles: Bool, given: [String] = []) {
    let asked = manifest.permissions
    let set = Set(given.map(ExactText.init))
    var defaults = ValueObject()
    for option in manifest.options where !set.contains(ExactText(option.name)) {
      if let value = option.defaultValue { defaults.append(option.name, value) }
    }
    let own = PermissionKey.all.flatMap { $0.asked(asked) }
    self.init(own.flatMap { $0.withDefaults(defaults) } + (keepsFiles ? [.keepFiles] : []))
  }
}

// MARK: JSON

extension AskedPermissions {
  package var value: Value { .array(all.map(\.value)) }

  /// nil where anything in it is not understood: it may be more than what is.
  package init?(_ value: Value) {
    guard let list = value.arrayValue else { return nil }
    let permissions = list.compactMap(AskedPermission.init)
    guard permissions.count == list.count else { return nil }
    self.init(permissions)
  }
}
