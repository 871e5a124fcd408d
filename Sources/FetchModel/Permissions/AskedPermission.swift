package import FetchValues

/// One thing that a plugin's file asks for: `{options.NAME}` stands for what the user has put there.
package enum AskedPermission: Hashable, Sendable {
  /// A hostname or a pattern of them, with a port or a scheme or without: see `HostPattern`.
  case reach(String)
  /// A file, or a folder with all that is in it.
  case read(String)
  /// A secret by its name, and a hostname it is to be sent to.
  case send(secret: String, to: String)
  /// Files in the job's own folder.
  case keepFiles
}

extension AskedPermission {
  /// As in "the plugin may …".
  package var phrase: String {
    switch self {
    case .reach("*"): "reach every hostname"
    case .reach("*:*"): "reach every hostname by every port"
    case .reach(let host): "reach \(Self.place(host, of: "the hostname"))"
    case .read(let path): "read \(Self.place(path, of: "the path"))"
    case .send(let secret, let host):
      "send the secret \(secret) to \(Self.place(host, of: "the hostname"))"
    case .keepFiles: "keep files in the job's folder"
    }
  }

  /// The option whose value is meant; nil for what the file says itself.
  package var option: String? {
    switch self {
    case .reach(let place), .read(let place), .send(_, let place):
      PermissionResolution.optionName(in: place)
    case .keepFiles: nil
    }
  }

  /// Whether it names a port, or a scheme, by itself.
  var hasPort: Bool {
    switch self {
    // Nearly all name none, which is found without reading them.
    case .reach(let host), .send(_, let host):
      host.utf8.contains(UInt8(ascii: ":")) && HostPattern(host)?.isHostnameAlone == false
    case .read, .keepFiles: false
    }
  }

  /// What is meant with options filled in.
  package func filled(from options: ValueObject) -> [AskedPermission] {
    switch self {
    case .reach(let host):
      PermissionResolution.hosts([host], options).map { .reach($0.text) }
    case .read(let path): PermissionResolution.paths([path], options).map { .read($0) }
    case .send(let secret, let host):
      PermissionResolution.hosts([host], options).map { .send(secret: secret, to: $0.text) }
    case .keepFiles: [.keepFiles]
    }
  }

  private static func place(_ text: String, of kind: String) -> String {
    PermissionResolution.optionName(in: text).map { "\(kind) in its option \($0)" } ?? text
  }

  /// Whether who has this has the other one, too.
  func covers(_ other: AskedPermission) -> Bool {
    switch (self, other) {
    case (.reach(let own), .reach(let host)): Self.hosts(own, cover: host)
    case (.read(let own), .read(let path)): Self.path(own, holds: path)
    case (.send(let name, let own), .send(let other, let host)):
      ExactText(name) == ExactText(other) && Self.hosts(own, cover: host)
    case (.keepFiles, .keepFiles): true
    default: false
    }
  }

  private static func hosts(_ own: String, cover other: String) -> Bool {
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
    let (names, own) = (Self.names(path), Self.names(folder))
    return !names.contains("..") && names.starts(with: own) { $0.utf8.elementsEqual($1.utf8) }
  }

  private static func names(_ path: String) -> [String] {
    path.pathNames.filter { $0 != "." }
  }
}

// MARK: JSON

extension AskedPermission {
  /// `{"reach":"example.org"}`, `{"read":"/srv"}`, `{"secret":"token","to":"example.org"}` or
  /// `{"keep":"files"}`.
  package var value: Value {
    switch self {
    case .reach(let host): ["reach": .string(host)]
    case .read(let path): ["read": .string(path)]
    case .send(let secret, let host): ["secret": .string(secret), "to": .string(host)]
    case .keepFiles: ["keep": "files"]
    }
  }

  /// nil for what is no such object.
  package init?(_ value: Value) {
    if let host = value["reach"]?.stringValue {
      self = .reach(host)
    } else if let path = value["read"]?.stringValue {
      self = .read(path)
    } else if let name = value["secret"]?.stringValue, let host = value["to"]?.stringValue {
      self = .send(secret: name, to: host)
    } else if value["keep"]?.stringValue == "files" {
      self = .keepFiles
    } else {
      return nil
    }
  }
}

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
