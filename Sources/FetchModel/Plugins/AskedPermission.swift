package import FetchValues

/// The permissions in a plugin's manifest, before the values of options are inserted.
package struct PermissionRequest: Equatable, Sendable {
  /// The requested servers, in the form of `HostPattern`. An entry `{options.NAME}` means the
  /// hostname of each URL in that option, with the default ports and the URL's port.
  package var http: [String] = []
  /// The files and folders that the plugin requests for `file:` URLs, as paths or as
  /// `{options.NAME}`.
  package var read: [String] = []
  /// The requested secrets, each with its name and the hostnames that may receive it.
  package var secrets: [SecretRequest] = []

  package init() {}
}

/// A key of `permissions` in a manifest, with the functions that read and show the key's value.
package struct PermissionKey: Sendable {
  package let name: String
  /// The type of the value in the Lua stubs for editors.
  package let luaType: String
  package let summary: String
  let read:
    @Sendable (inout ManifestReader, ValueObject, [OptionSpec], inout PermissionRequest) -> Void
  let asked: @Sendable (PermissionRequest) -> [AskedPermission]
  /// The function that returns the key's requests as texts for people.
  package let words: @Sendable (PermissionRequest) -> [String]

  /// All keys of `permissions`, in the order of display.
  package static let all = [http, files, secrets]

  private static let http = PermissionKey(
    name: "http", luaType: "string[]",
    summary: "servers that a run may reach, such as `example.org`, `nas.lan:8080` or"
      + " `https://example.org`",
    read: { reader, object, options, request in
      request.http = reader.texts(object, "http", path: ["permissions"])
      reader.checkHosts(request.http, options, path: ["permissions", "http"])
    },
    asked: { $0.http.map(AskedPermission.reach) }, words: { $0.http })

  private static let files = PermissionKey(
    name: "read", luaType: "string[]",
    summary: "files and folders that the plugin asks to read; only the user can grant them, for"
      + " example with `fetchrun grant`",
    read: { reader, object, options, request in
      request.read = reader.texts(object, "read", path: ["permissions"])
      for option in request.read.compactMap(PermissionResolution.optionName) {
        reader.checkOptionReference(option, options, path: ["permissions", "read"])
      }
    },
    asked: { $0.read.map(AskedPermission.read) }, words: { $0.read })

  private static let secrets = PermissionKey(
    name: "secrets", luaType: "table<string, fetchrun.SecretPermission>",
    summary: "the secrets that `ctx:secret` may use",
    read: { reader, object, options, request in
      request.secrets = reader.secrets(object["secrets"], options: options)
    },
    asked: { request in
      request.secrets.flatMap { secret in
        secret.hosts.map { .send(secret: secret.name, to: $0) }
      }
    },
    words: { request in
      request.secrets.map {
        "the secret \($0.name) for \($0.hosts.joined(separator: " and "))"
      }
    })
}

/// One permission that a plugin's file requests. An entry `{options.NAME}` refers to the user's
/// option.
package enum AskedPermission: Hashable, Sendable {
  /// The permission to connect to a hostname or a pattern, with an optional scheme and port: see
  /// `HostPattern`.
  case reach(String)
  /// The permission to read a file, or a folder with its contents.
  case read(String)
  /// The permission to send the named secret to a hostname or a pattern: see `HostPattern`.
  case send(secret: String, to: String)
  /// The permission to keep files in the job's own folder.
  case keepFiles
}

extension AskedPermission {
  /// The permission as a phrase that follows "the plugin may".
  package var phrase: String {
    switch self {
    case .reach("*"): "reach every hostname"
    case .reach("*:*"): "reach every hostname on every port"
    case .reach(let host): "reach \(Self.place(host, of: "the hostname"))"
    case .read(let path): "read \(Self.place(path, of: "the path"))"
    case .send(let secret, let host):
      "send the secret \(secret) to \(Self.place(host, of: "the hostname"))"
    case .keepFiles: "keep files in the job's folder"
    }
  }

  /// The name of the option to which the permission refers; nil if it refers to no option.
  package var option: String? {
    switch self {
    case .reach(let place), .read(let place), .send(_, let place):
      PermissionResolution.optionName(in: place)
    case .keepFiles: nil
    }
  }

  /// Whether the permission names a port or a scheme.
  var hasPort: Bool {
    switch self {
    // An entry without a colon has neither a port nor a scheme, and needs no parsing.
    case .reach(let host), .send(_, let host):
      host.utf8.contains(UInt8(ascii: ":")) && HostPattern(host)?.isHostnameAlone == false
    case .read, .keepFiles: false
    }
  }

  /// Returns this permission with its option's value inserted. One value can give several
  /// permissions. A missing option gives no permission.
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

  /// Returns the permissions that an entry of a manifest requests. If the entry names an option,
  /// the result includes the permissions from the option's default value. The hostname of any other
  /// entry is in its normal form.
  func withDefaults(_ defaults: ValueObject) -> [AskedPermission] {
    if option != nil { return [self] + filled(from: defaults) }
    if case .read = self { return [self] }
    return filled(from: defaults)
  }

  private static func place(_ text: String, of kind: String) -> String {
    PermissionResolution.optionName(in: text).map { "\(kind) in its option \($0)" } ?? text
  }

  func covers(_ other: AskedPermission) -> Bool {
    switch (self, other) {
    case (.reach(let own), .reach(let host)): PermissionResolution.hosts(own, cover: host)
    case (.read(let own), .read(let path)): PermissionResolution.path(own, holds: path)
    case (.send(let name, let own), .send(let other, let host)):
      ExactText(name) == ExactText(other) && PermissionResolution.hosts(own, cover: host)
    case (.keepFiles, .keepFiles): true
    default: false
    }
  }
}

// MARK: JSON

extension AskedPermission {
  /// The permission as JSON: `{"reach":"example.org"}`, `{"read":"/srv"}`,
  /// `{"secret":"token","to":"example.org"}` or `{"keep":"files"}`.
  package var value: Value {
    switch self {
    case .reach(let host): ["reach": .string(host)]
    case .read(let path): ["read": .string(path)]
    case .send(let secret, let host): ["secret": .string(secret), "to": .string(host)]
    case .keepFiles: ["keep": "files"]
    }
  }

  /// Reads a permission from JSON in the form of the property `value`; nil for any other value.
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
