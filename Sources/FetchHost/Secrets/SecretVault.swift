package import FetchModel
package import FetchValues

/// The secrets that `fetchrun secret set` stores, and new refresh tokens, in one file. Each value
/// is encrypted by ChaCha20-Poly1305 (RFC 8439). The key is in another file, and each encryption
/// uses a new nonce. The secret's name is part of the authenticated data. The encrypted value of
/// one name therefore cannot be used under another name.
///
/// Only the owner may read the two files. If there is no key when a value is set, a key is created.
/// Each change replaces the file of secrets as a whole, and concurrent changes wait for each other.
package struct SecretVault: Sendable {
  package let path: String
  package let keyPath: String

  private let typedKey: String?

  /// - Parameter typedKey: the path of the key file that the user must type in `fetchrun secret
  ///   set`; nil for the default path.
  package init(path: String, keyPath: String, typedKey: String? = nil) {
    self.path = path
    self.keyPath = keyPath
    self.typedKey = typedKey
  }

  /// Returns the command that stores a secret. The command includes the key file if the user must
  /// type it.
  package func setting(_ name: String) -> String {
    "fetchrun secret set \(name)"
      + (typedKey.map { " --key " + ShellWord.quoted($0) } ?? "")
  }

  /// The facts about a stored secret that may be shown, without its value.
  package struct Entry: Equatable, Sendable {
    package var name: String
    package var changedAt: Timestamp

    package init(name: String, changedAt: Timestamp) {
      self.name = name
      self.changedAt = changedAt
    }
  }

  /// The maximum number of stored secrets, more than any user is expected to set.
  package static let secretsMax = 1000

  /// Returns the entries in the order of their names; empty if there is no file.
  package func entries() throws(SecretProblem) -> [Entry] {
    try load().boxes.map { Entry(name: $0.name, changedAt: $0.changedAt) }
  }

  package func value(named name: String) throws(SecretProblem) -> SecretValue {
    guard let box = try load().boxes.first(where: { ExactText($0.name) == ExactText(name) }) else {
      throw SecretProblem(
        "there is no stored secret '\(name)'; set it with `\(setting(name))`")
    }
    let key = try VaultKey.read(keyPath)
    guard let bytes = ChaChaPoly.open(box.sealed, using: key, authenticating: Self.context(name))
    else {
      throw SecretProblem(
        "the stored secret '\(name)' was not encrypted with the key in \(keyPath), or is damaged; "
          + "set it again with `\(setting(name))`")
    }
    return SecretValue(String(decoding: bytes, as: UTF8.self))
  }

  package func set(
    _ value: SecretValue, named name: String, now: Timestamp
  ) throws(SecretProblem) {
    try PrivateFile.locked(path) { () throws(SecretProblem) in
      var file = try load()
      let key = try VaultKey.readOrMake(keyPath)
      let sealed = ChaChaPoly.seal(
        Array(value.text.utf8), using: key, nonce: VaultKey.random(ChaChaPoly.nonceBytes),
        authenticating: Self.context(name))
      guard let sealed else { throw SecretProblem("the value cannot be encrypted") }
      file.boxes.removeAll { ExactText($0.name) == ExactText(name) }
      guard file.boxes.count < Self.secretsMax else {
        throw SecretProblem(
          "\(path) already has \(Self.secretsMax) secrets: remove one with "
            + "`fetchrun secret remove NAME`")
      }
      file.boxes.append(VaultFile.Box(name: name, changedAt: now, sealed: sealed))
      try PrivateFile.replace(path, with: file.bytes)
    }
  }

  /// Removes a secret; returns false if no secret has that name.
  package func remove(named name: String) throws(SecretProblem) -> Bool {
    try PrivateFile.locked(path) { () throws(SecretProblem) in
      var file = try load()
      let count = file.boxes.count
      file.boxes.removeAll { ExactText($0.name) == ExactText(name) }
      guard file.boxes.count < count else { return false }
      try PrivateFile.replace(path, with: file.bytes)
      return true
    }
  }

  private static func context(_ name: String) -> [UInt8] {
    Array("fetchrun secret \(VaultFile.version)\0\(name)".utf8)
  }

  private func load() throws(SecretProblem) -> VaultFile {
    guard PrivateFile.isThere(path) else { return VaultFile() }
    let bytes = try PrivateFile.read(path, isShared: false, bytesMax: VaultFile.bytesMax)
    return try VaultFile(bytes, path: path)
  }
}

/// The file with the key that encrypts the stored secrets. The file has one line: `fetchrun-key-1`,
/// a space, and the 32 bytes of the key in base64.
enum VaultKey {
  private static let mark = "fetchrun-key-1 "
  private static let bytesMax = 256

  static func read(_ path: String) throws(SecretProblem) -> [UInt8] {
    let bytes = try PrivateFile.read(path, isShared: false, bytesMax: bytesMax)
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix(mark), let key = decoded(text.dropFirst(mark.utf8.count)),
      key.count == ChaChaPoly.keyBytes
    else { throw SecretProblem("\(path) does not contain a key that encrypts stored secrets") }
    return key
  }

  static func random(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0 ... .max) }
  }

  private static func decoded(_ text: Substring) -> [UInt8]? {
    Array(text.utf8).withUnsafeBytes { Base64.decode($0, strict: false) }
  }

  static func readOrMake(_ path: String) throws(SecretProblem) -> [UInt8] {
    if PrivateFile.isThere(path) { return try read(path) }
    let key = random(ChaChaPoly.keyBytes)
    let digits = key.withUnsafeBytes { Base64.encode($0, .standard, padded: true) }
    let isOurs = try PrivateFile.create(path, with: Array(mark.utf8) + digits + [0x0A])
    return isOurs ? key : try read(path)
  }
}

/// The file of the stored secrets, as JSON of this form, with white space added:
/// `{"format":"fetchrun secrets","version":1,"secrets":[{"name":…,"changedAt":…,"box":…}]}`.
/// Each `box` is the nonce, the ciphertext and the tag, together in base64.
struct VaultFile {
  struct Box {
    var name: String
    var changedAt: Timestamp
    var sealed: [UInt8]
  }

  var boxes: [Box] = []

  static let version: Int64 = 1
  private static let format = "fetchrun secrets"
  /// The maximum size of the file, enough for `SecretVault.secretsMax` values of maximum length.
  static let bytesMax = 128 << 20

  init() {}

  init(_ bytes: [UInt8], path: String) throws(SecretProblem) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let value = try? JSONReader.decode(text), value["format"]?.stringValue == Self.format
    else {
      throw SecretProblem(
        "\(path) is not a file of stored secrets, or is damaged: move it away and set the secrets "
          + "again")
    }
    guard let version = value["version"]?.integerValue, version >= Self.version else {
      throw SecretProblem("\(path) is damaged: move it away and set the secrets again")
    }
    guard version == Self.version else {
      throw SecretProblem("\(path) was written by a newer fetchrun: use the newer one")
    }
    for entry in value["secrets"]?.arrayValue ?? [] {
      guard let name = entry["name"]?.stringValue, SecretName.isValid(name),
        let time = entry["changedAt"]?.stringValue.flatMap(Timestamp.init(rfc3339:)),
        let box = entry["box"]?.stringValue, let sealed = Self.decoded(box)
      else { throw SecretProblem("\(path) is damaged: move it away and set the secrets again") }
      boxes.append(Box(name: name, changedAt: time, sealed: sealed))
    }
  }

  private static func decoded(_ text: String) -> [UInt8]? {
    Array(text.utf8).withUnsafeBytes { Base64.decode($0, strict: true) }
  }

  /// The text of the file, with the secrets sorted by name.
  var bytes: [UInt8] {
    let sorted = boxes.sorted { ExactText($0.name) < ExactText($1.name) }
    let secrets = sorted.map { box -> Value in
      [
        "name": .string(box.name), "changedAt": .string(box.changedAt.description),
        "box": .string(Base64.text(box.sealed)),
      ]
    }
    let file: Value = [
      "format": .string(Self.format), "version": .integer(Self.version), "secrets": .array(secrets),
    ]
    let text = (try? JSONWriter.text(file, options: .init(isPretty: true))) ?? ""
    return Array((text + "\n").utf8)
  }
}
