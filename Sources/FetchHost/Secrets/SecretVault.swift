import Crypto
package import FetchModel
package import FetchValues

/// The secrets that `fetchrun secret set` keeps: one file with each value encrypted by
/// ChaCha20-Poly1305 (RFC 8439) under the key of another file, a new nonce each time. The name is
/// part of what is authenticated, so no value can be put in another's place.
///
/// Both files are their owner's alone. The key is made when the first value is set. A file is
/// replaced whole or not at all; who changes it waits for others who do.
package struct SecretVault: Sendable {
  package let path: String
  package let keyPath: String

  /// What is to be typed for a value to be encrypted with that key; nil for the usual one.
  private let typedKey: String?

  /// - Parameter typedKey: the path of the key, where `fetchrun secret set` has to be told of it.
  package init(path: String, keyPath: String, typedKey: String? = nil) {
    self.path = path
    self.keyPath = keyPath
    self.typedKey = typedKey
  }

  private func setting(_ name: String) -> String {
    "fetchrun secret set \(name)"
      + (typedKey.map { " --key " + ShellWord.quoted($0) } ?? "")
  }

  /// As it is told: names and times, never values.
  package struct Entry: Equatable, Sendable {
    package var name: String
    package var changedAt: Timestamp

    package init(name: String, changedAt: Timestamp) {
      self.name = name
      self.changedAt = changedAt
    }
  }

  /// More than anyone keeps by hand.
  package static let secretsMax = 1000

  /// In the order of their names; none where there is no file.
  package func entries() throws(SecretProblem) -> [Entry] {
    try load().boxes.map { Entry(name: $0.name, changedAt: $0.changedAt) }
  }

  package func value(named name: String) throws(SecretProblem) -> SecretValue {
    guard let box = try load().boxes.first(where: { ExactText($0.name) == ExactText(name) }) else {
      throw SecretProblem(
        "there is no stored secret '\(name)'; set it with \(setting(name))")
    }
    let key = try VaultKey.read(keyPath)
    guard let sealed = try? ChaChaPoly.SealedBox(combined: box.sealed),
      let bytes = try? ChaChaPoly.open(sealed, using: key, authenticating: Self.context(name))
    else {
      throw SecretProblem(
        "the stored secret '\(name)' was not encrypted with the key in \(keyPath), or is damaged; "
          + "set it again with \(setting(name))")
    }
    return SecretValue(String(decoding: bytes, as: UTF8.self))
  }

  package func set(
    _ value: SecretValue, named name: String, now: Timestamp
  ) throws(SecretProblem) {
    try PrivateFile.locked(path) { () throws(SecretProblem) in
      var file = try load()
      let key = try VaultKey.readOrMake(keyPath)
      let sealed = try? ChaChaPoly.seal(
        Array(value.text.utf8), using: key, authenticating: Self.context(name))
      guard let sealed else { throw SecretProblem("the value cannot be encrypted") }
      file.boxes.removeAll { ExactText($0.name) == ExactText(name) }
      guard file.boxes.count < Self.secretsMax else {
        throw SecretProblem("\(path) has \(Self.secretsMax) secrets already; remove some")
      }
      file.boxes.append(VaultFile.Box(name: name, changedAt: now, sealed: Array(sealed.combined)))
      try PrivateFile.replace(path, with: file.bytes)
    }
  }

  /// False where there was none of that name.
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

/// The key of the stored secrets: one line, `fetchrun-key-1` and 32 bytes in base64.
enum VaultKey {
  private static let mark = "fetchrun-key-1 "
  private static let bytesMax = 256

  static func read(_ path: String) throws(SecretProblem) -> SymmetricKey {
    let bytes = try PrivateFile.read(path, isShared: false, bytesMax: bytesMax)
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix(mark), let key = decoded(text.dropFirst(mark.utf8.count)), key.count == 32
    else { throw SecretProblem("\(path) has no key of stored secrets in it") }
    return SymmetricKey(data: key)
  }

  private static func decoded(_ text: Substring) -> [UInt8]? {
    Array(text.utf8).withUnsafeBytes { Base64.decode($0, strict: false) }
  }

  static func readOrMake(_ path: String) throws(SecretProblem) -> SymmetricKey {
    if PrivateFile.isThere(path) { return try read(path) }
    let key = SymmetricKey(size: .bits256)
    let digits = key.withUnsafeBytes { Base64.encode($0, .standard, padded: true) }
    let isOurs = try PrivateFile.create(path, with: Array(mark.utf8) + digits + [0x0A])
    return isOurs ? key : try read(path)
  }
}
