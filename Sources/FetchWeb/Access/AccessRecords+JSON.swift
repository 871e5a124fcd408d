package import FetchValues

/// The JSON of `web.json`. Unknown members and unknown scopes are ignored. An entry is left out if,
/// for example, its hash or its time cannot be read, so that nobody gets access through it.
extension AccessRecords {
  /// The maximum size of the file, in bytes.
  static let bytesMax = 1 << 20
  private static let depthMax = 8

  package var json: [UInt8] {
    let value: Value = [
      "version": 1, "tokens": .array(tokens.map(\.value)),
      "sessions": .array(sessions.map(\.value)), "codes": .array(codes.map(\.value)),
      "pushAddresses": .array(pushAddresses.map(\.value)),
    ]
    let text = try? JSONWriter.text(value, options: JSONWriter.Options(isPretty: true))
    return Array((text ?? "{}").utf8) + [UInt8(ascii: "\n")]
  }

  /// Reads the contents of `web.json`; nil if the bytes do not have the form of this file.
  package init?(json: [UInt8]) {
    guard let value = try? JSONReader.decode(json, depthMax: Self.depthMax),
      value["version"]?.integerValue == 1
    else { return nil }
    self.init()
    tokens = Self.all(value["tokens"], WebToken.init)
    sessions = Self.all(value["sessions"], WebSession.init)
    codes = Self.all(value["codes"], LoginCode.init)
    pushAddresses = Self.all(value["pushAddresses"], PushAddress.init)
  }

  private static func all<Element>(_ value: Value?, _ read: (Value) -> Element?) -> [Element] {
    value?.arrayValue?.prefix(pushAddressesMax).compactMap(read) ?? []
  }
}

extension WebToken {
  /// The members of a token without its hash, as `fetchrun token list --json` and the API show
  /// them.
  package var shownValue: ValueObject {
    ValueObject([
      ("name", .string(name)),
      ("scopes", .array(Scope.allCases.filter(scopes.contains).map { .string($0.rawValue) })),
      ("jobs", jobs.map { .array($0.map(Value.string)) } ?? .null),
      ("createdAt", .time(createdAt)), ("expiresAt", .time(expiresAt)),
      ("lastUsedAt", .time(lastUsedAt)),
    ])
  }

  fileprivate var value: Value {
    var object = shownValue
    object.append("hash", .string(Hexadecimal.text(of: hash)))
    return .object(object)
  }

  fileprivate init?(_ value: Value) {
    guard let name = value["name"]?.stringValue, let hash = value.hash,
      let createdAt = value.time("createdAt")
    else { return nil }
    let words = value["scopes"]?.arrayValue?.compactMap(\.stringValue) ?? []
    var jobs: [String]?
    if let listed = value["jobs"], !listed.isNull {
      guard let texts = listed.arrayValue?.compactMap(\.stringValue) else { return nil }
      jobs = texts
    }
    // A token whose end time is unreadable must not be valid forever.
    if let end = value["expiresAt"], !end.isNull, value.time("expiresAt") == nil { return nil }
    self.init(
      name: name, hash: hash, scopes: Set(words.compactMap(Scope.init)), jobs: jobs,
      createdAt: createdAt, expiresAt: value.time("expiresAt"))
    lastUsedAt = value.time("lastUsedAt")
  }
}

extension WebSession {
  fileprivate var value: Value {
    [
      "hash": .string(Hexadecimal.text(of: hash)), "createdAt": .time(createdAt),
      "lastUsedAt": .time(lastUsedAt), "seenSequence": .integer(seenSequence),
      "seenAt": .time(seenAt),
    ]
  }

  fileprivate init?(_ value: Value) {
    guard let hash = value.hash, let createdAt = value.time("createdAt") else { return nil }
    self.init(
      hash: hash, createdAt: createdAt, lastUsedAt: value.time("lastUsedAt") ?? createdAt,
      seenSequence: max(0, value["seenSequence"]?.integerValue ?? 0),
      seenAt: value.time("seenAt"))
  }
}

extension LoginCode {
  fileprivate var value: Value {
    ["hash": .string(Hexadecimal.text(of: hash)), "expiresAt": .time(expiresAt)]
  }

  fileprivate init?(_ value: Value) {
    guard let hash = value.hash, let expiresAt = value.time("expiresAt") else { return nil }
    self.init(hash: hash, expiresAt: expiresAt)
  }
}

extension PushAddress {
  fileprivate var value: Value {
    [
      "job": .string(job.text), "hash": .string(Hexadecimal.text(of: hash)),
      "createdAt": .time(createdAt),
    ]
  }

  fileprivate init?(_ value: Value) {
    guard let job = value["job"]?.stringValue, let hash = value.hash,
      let createdAt = value.time("createdAt")
    else { return nil }
    self.init(job: JobName(job), hash: hash, createdAt: createdAt)
  }
}

extension Value {
  fileprivate static func time(_ time: Timestamp?) -> Value {
    time.map { .string($0.descriptionInSeconds) } ?? .null
  }

  fileprivate func time(_ key: String) -> Timestamp? {
    self[key]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
  }

  fileprivate var hash: [UInt8]? {
    let bytes = self["hash"]?.stringValue.flatMap { Hexadecimal.bytes(of: Array($0.utf8)) }
    return bytes?.count == 32 ? bytes : nil
  }
}
