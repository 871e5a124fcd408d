import FetchModel
import FetchValues

/// The file of the stored secrets as text: `{"format":"fetchrun
/// secrets","version":1,"secrets":[{"name":…,"changedAt":…,"box":…}]}`. Each box is the nonce, the
/// ciphertext and the tag in base64.
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
    else { throw SecretProblem("\(path) is not a file of stored secrets, or is damaged") }
    guard value["version"]?.integerValue == Self.version else {
      throw SecretProblem("\(path) was written by a later version of fetchrun")
    }
    for entry in value["secrets"]?.arrayValue ?? [] {
      guard let name = entry["name"]?.stringValue, SecretName.isValid(name),
        let time = entry["changedAt"]?.stringValue.flatMap(Timestamp.init(rfc3339:)),
        let box = entry["box"]?.stringValue, let sealed = Self.decoded(box)
      else { throw SecretProblem("\(path) is damaged") }
      boxes.append(Box(name: name, changedAt: time, sealed: sealed))
    }
  }

  private static func decoded(_ text: String) -> [UInt8]? {
    Array(text.utf8).withUnsafeBytes { Base64.decode($0, strict: true) }
  }

  /// The file's text, in the order of the names.
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
