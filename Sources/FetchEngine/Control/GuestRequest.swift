package import FetchModel
import FetchValues

/// A run of a plugin that is handed to a daemon, as the user described it on the command line.
/// Paths are absolute, since the daemon has another working folder.
///
/// Each secret is named by the source from which the daemon reads it; no value crosses the socket.
package struct GuestRequest: Hashable, Sendable {
  /// The job to which items and state belong.
  package var job: String
  /// Whether the user has named the job. Otherwise the daemon renames it if another job took the
  /// name meanwhile.
  package var isNamed = true
  /// The plugin as the user named it: a name in a plugin folder, or a path.
  package var plugin: String
  /// The path at which its file was found.
  package var file: String
  /// The hash of the file and all that it requires: the daemon must read the same.
  package var hash: [UInt8]
  /// Options as `name=value`.
  package var options: [String] = []
  package var readPaths: [String] = []
  package var filesRoot: String?
  /// Secrets as `name=kind:place`, see `GivenSecret`.
  package var secrets: [String] = []
  package var allowsPrivate = false
  /// The only blocks of private addresses that are allowed.
  package var privateBlocks: [String] = []
  package var isIsolated = false
  package var firstRun: FirstRunRule?

  package init(job: String, plugin: String, file: String, hash: [UInt8]) {
    self.job = job
    self.plugin = plugin
    self.file = file
    self.hash = hash
  }

  /// The job's definition; nil if a text in it is invalid.
  var definition: JobDefinition? {
    var definition = JobDefinition(
      plugin: plugin, name: job, options: options.map(JobDefinition.OptionText.init))
    let given = secrets.compactMap(GivenSecret.init(text:))
    let blocks = privateBlocks.compactMap { try? AddressBlock(parsing: $0) }
    guard given.count == secrets.count, blocks.count == privateBlocks.count else { return nil }
    definition.secrets = given
    definition.allow.privateAddresses =
      blocks.isEmpty ? PrivateAddresses(allowsPrivate) : .within(blocks)
    definition.allow.readPaths = readPaths.isEmpty ? nil : readPaths
    definition.files.root = filesRoot
    definition.isolation = isIsolated ? .run : nil
    definition.firstRun = firstRun
    return definition
  }

  /// Returns the reason why a daemon cannot read a secret from the command line; nil if it can. The
  /// daemon's environment is not that of this program.
  package static func problem(of secret: GivenSecret) -> String? {
    let kind =
      switch secret.source {
      case .stored, .file: nil as String?
      case .environment(let name): "the environment variable \(name) of this program"
      case .credential(let name): "the credential \(name) of this program"
      case .keyring(let name): "the keyring entry \(name) of this session"
      case .command, .oauth2: "a program"
      }
    return kind.map {
      "a daemon has this store, and cannot read the secret '\(secret.name)' from \($0): keep it with"
        + " `fetchrun secret set \(secret.name)` and give --secret \(secret.name)=stored:\(secret.name)"
    }
  }
}

extension GuestRequest {
  var members: [(String, Value)] {
    func texts(_ list: [String]) -> Value { .array(list.map(Value.string)) }
    return [
      ("jobs", texts([job])), ("plugin", .string(plugin)), ("file", .string(file)),
      ("hash", .string(Hexadecimal.text(of: hash))), ("options", texts(options)),
      ("read", texts(readPaths)), ("root", filesRoot.map { .string($0) } ?? .null),
      ("secrets", texts(secrets)), ("private", .bool(allowsPrivate)),
      ("blocks", texts(privateBlocks)), ("isolated", .bool(isIsolated)),
      ("first", firstRun.map { .string($0.text) } ?? .null), ("named", .bool(isNamed)),
    ]
  }

  /// Returns nil if `value` is not such a request.
  init?(job: String, _ value: Value) {
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
