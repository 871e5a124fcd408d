import FetchConfig
package import FetchModel
package import FetchValues

/// A command's request to a daemon to run a plugin, as the user described the run on the command
/// line. `file`, `readPaths`, `filesRoot` and the paths of secrets are absolute, since the daemon
/// may have another working folder.
///
/// The request names the source from which the daemon reads each secret. It never contains the
/// value of a secret.
package struct GuestRequest: Hashable, Sendable {
  /// The name of the job. If `isNamed` is false, the daemon may choose another name.
  package var job: JobName
  /// Whether the user has named the job. Otherwise, the daemon prefers the name under which the
  /// store already knows this job.
  package var isNamed = true
  /// The plugin as the user named it: a name in a plugin folder, or a path.
  package var plugin: String
  /// The absolute path at which the plugin's file was found.
  package var file: String
  /// The hash of the plugin's file and of all files that the plugin requires. The daemon refuses
  /// the request if it finds other content in these files.
  package var hash: [UInt8]
  /// The options, each in the form `name=value`.
  package var options: [String] = []
  package var readPaths: [String] = []
  package var filesRoot: String?
  /// The secrets, each in the form `name=kind:place`: see `GivenSecret`.
  package var secrets: [String] = []
  package var allowsPrivate = false
  /// The blocks of private addresses that the run may reach. If the list is empty, the run may
  /// reach all private addresses if `allowsPrivate` is true, otherwise none.
  package var privateBlocks: [String] = []
  package var isIsolated = false
  package var firstRun: FirstRunRule?

  package init(job: JobName, plugin: String, file: String, hash: [UInt8]) {
    self.job = job
    self.plugin = plugin
    self.file = file
    self.hash = hash
  }

  /// The config of the job, with the options as the user typed them; nil if a secret or a block of
  /// addresses is invalid.
  var config: JobConfig? {
    var config = JobConfig(typed: plugin, name: job, options: options.map(TypedOption.init))
    let given = secrets.compactMap(GivenSecret.init(text:))
    let blocks = privateBlocks.compactMap { try? AddressBlock(parsing: $0) }
    guard given.count == secrets.count, blocks.count == privateBlocks.count else { return nil }
    config.secrets = given
    config.allow.privateAddresses =
      blocks.isEmpty ? PrivateAddresses(allowsPrivate) : .within(blocks)
    config.allow.readPaths = readPaths.isEmpty ? nil : readPaths
    config.files.root = filesRoot
    config.isolation = isIsolated ? .run : nil
    config.firstRun = firstRun
    return config
  }

  /// Returns the reason why a daemon cannot read a secret from its source; nil for stored secrets
  /// and for files.
  package static func problem(of secret: GivenSecret) -> String? {
    let kind =
      switch secret.source {
      case .stored, .file: nil as String?
      case .environment(let name): "the environment variable \(name) of this command"
      case .credential(let name): "the credential \(name) of this command"
      case .keyring(let name): "the keyring entry \(name) of this session"
      case .command, .oauth2: "a program"
      }
    return kind.map {
      "a daemon uses this store, and cannot read the secret '\(secret.name)' from \($0): store it "
        + "with"
        + " `fetchrun secret set \(secret.name)` and give --secret \(secret.name)=stored:\(secret.name)"
    }
  }
}

extension GuestRequest {
  var members: [(String, Value)] {
    func texts(_ list: [String]) -> Value { .array(list.map(Value.string)) }
    return [
      ("jobs", texts([job.text])), ("plugin", .string(plugin)), ("file", .string(file)),
      ("hash", .string(Hexadecimal.text(of: hash))), ("options", texts(options)),
      ("read", texts(readPaths)), ("root", filesRoot.map { .string($0) } ?? .null),
      ("secrets", texts(secrets)), ("private", .bool(allowsPrivate)),
      ("blocks", texts(privateBlocks)), ("isolated", .bool(isIsolated)),
      ("first", firstRun.map { .string($0.text) } ?? .null), ("named", .bool(isNamed)),
    ]
  }

  init?(job: JobName, _ value: Value) {
    func texts(_ key: String) -> [String]? {
      guard let list = value[key]?.arrayValue else { return nil }
      let texts = list.compactMap(\.stringValue)
      return texts.count == list.count ? texts : nil
    }
    guard let plugin = value["plugin"]?.stringValue, let file = value["file"]?.stringValue,
      file.isAbsolutePath,
      let hash = value["hash"]?.stringValue.flatMap({ Hexadecimal.bytes(of: Array($0.utf8)) }),
      let options = texts("options"), let readPaths = texts("read"), let secrets = texts("secrets"),
      let blocks = texts("blocks"), !job.isEmpty
    else { return nil }
    self.init(job: job, plugin: plugin, file: file, hash: hash)
    self.options = options
    self.readPaths = readPaths
    self.secrets = secrets
    privateBlocks = blocks
    filesRoot = value["root"]?.stringValue
    allowsPrivate = value["private"]?.boolValue ?? false
    isIsolated = value["isolated"]?.boolValue ?? false
    isNamed = value["named"]?.boolValue ?? true
    if let word = value["first"]?.stringValue {
      guard let rule = FirstRunRule(word) else { return nil }
      firstRun = rule
    }
  }
}
