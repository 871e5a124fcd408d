package import FetchValues

/// All permissions that a plugin's file requests, without the values that the user has given to
/// options. The permissions are stored with a grant, and compared with the requests of later
/// versions of the file.
package struct AskedPermissions: Hashable, Sendable {
  /// The permissions without duplicates, in the given order.
  package private(set) var all: [AskedPermission] = []

  package init(_ permissions: [AskedPermission] = []) {
    for permission in permissions where !all.contains(permission) { all.append(permission) }
  }

  package var isEmpty: Bool { all.isEmpty }

  package func covers(_ permission: AskedPermission) -> Bool {
    all.contains { $0.covers(permission) }
  }

  /// Returns the permissions that `granted` does not cover.
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
  /// Creates the permissions that a manifest requests. An entry that names an option also requests
  /// the hostname or path in the option's default value, because the file sets the default. The
  /// default values of the options in `given` are excluded, because the user has set these options.
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

  /// Reads the permissions from JSON; nil if any part is invalid or unknown.
  package init?(_ value: Value) {
    guard let list = value.arrayValue else { return nil }
    let permissions = list.compactMap(AskedPermission.init)
    guard permissions.count == list.count else { return nil }
    self.init(permissions)
  }
}
