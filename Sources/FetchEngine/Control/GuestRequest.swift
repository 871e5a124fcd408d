package import FetchModel
import FetchValues

/// A run of a plugin that is handed to a daemon: what its user said on the command line. Paths begin
/// at the root, since the daemon has another working folder.
///
/// Secrets are named by where the daemon reads them itself; no value crosses the socket.
package struct GuestRequest: Hashable, Sendable {
  /// The job that items and state belong to.
  package var job: String
  /// Whether the user has named the job. Otherwise the daemon gives it another name where another job has got
  /// this one meanwhile.
  package var isNamed = true
  /// As the user named it: a name in a plugin folder, or a path.
  package var plugin: String
  /// Where its file was found.
  package var file: String
  /// Of the file and all that it requires: the daemon must read the same.
  package var hash: [UInt8]
  /// `name=value`.
  package var options: [String] = []
  package var readPaths: [String] = []
  package var filesRoot: String?
  /// `name=kind:place`, see `GivenSecret`.
  package var secrets: [String] = []
  package var allowsPrivate = false
  /// Blocks of private addresses that alone are allowed.
  package var privateBlocks: [String] = []
  package var isIsolated = false
  package var firstRun: FirstRunRule?

  package init(job: String, plugin: String, file: String, hash: [UInt8]) {
    self.job = job
    self.plugin = plugin
    self.file = file
    self.hash = hash
  }

  /// Nil where a text in it is not what it should be.
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

  /// Why a daemon cannot read a secret that was given on the command line; nil where it can. What a
  /// program has in its environment the daemon has not, or has another of.
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

  /// Nil for what is no such request.
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
