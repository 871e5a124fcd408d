import FetchValues

/// The redaction of a recording, which removes secrets before the recording is stored.
///
/// All cookies are secret. Other strings are secret if their names are secret: see `SecretNames`.
/// In an answer's body and in the state, strings that do not look like secrets are kept: see
/// `BodyField.secret(in:)`. Most secret values of at least `valueBytesMin` bytes are also removed
/// from all other places in the options, the state, the requests and the answers. The result can
/// still be replayed, because a placeholder in a recorded request matches any text.
package struct RecordingRedactor: Sendable {
  /// The placeholder for a secret value. Percent-encoding and JSON leave this text unchanged.
  package static let placeholder = "SCRUBBED"
  static let placeholderBytes = Array(placeholder.utf8)
  /// The minimum length, in bytes, of a value that the redactor looks for everywhere. Shorter
  /// values may occur in texts by chance.
  static let valueBytesMin = 6
  /// The number of different values from options, addresses and headers that are always looked for.
  private static let valueCountUsual = 256
  /// The maximum number of values times the bytes of the recording, if there are more values. The
  /// redactor looks for each value in all texts, and a server can send thousands of values.
  private static let searchMax = 1 << 30
  /// The maximum number of digits after a placeholder: see `RecordingSecrets.bodyValueCountMax`.
  static let placeholderDigitsMax = 2

  private var secrets: RecordingSecrets
  /// The reason why the recording cannot be redacted, as one clause; nil if it was redacted.
  package private(set) var problem: String?
  /// All forms of all secret values, longest first, each with its replacement.
  private(set) var replacements: [(form: [UInt8], other: [UInt8])] = []
  /// The function that removes the secrets of the recorded runs; nil to remove only the secrets
  /// that this redactor finds itself.
  private let redact: (@Sendable ([UInt8]) -> [UInt8])?
  /// The function that returns whether a secret is a number. Its argument is the name of a secret
  /// that `redact` removes.
  private let isNumber: @Sendable (String) -> Bool

  package init(redacting redact: (@Sendable ([UInt8]) -> [UInt8])? = nil) {
    self.redact = redact
    secrets = RecordingSecrets(redacting: redact)
    isNumber = { _ in false }
  }

  /// Creates a redactor that also removes the secrets that the given redactors remove.
  ///
  /// - Parameter redactors: the redactors of the recorded runs.
  package init(_ redactors: [Redactor]) {
    let redact: @Sendable ([UInt8]) -> [UInt8] = { bytes in
      redactors.reduce(bytes) { $1.redacted($0) }
    }
    self.redact = redact
    secrets = RecordingSecrets(redacting: redact)
    isNumber = { name in redactors.contains { $0.isNumber(name) } }
  }

  /// The descriptions of the secrets that were found, such as `the header Authorization`. The user
  /// sees the descriptions.
  package var found: [String] { secrets.found }

  /// Returns the recording without secrets. If the recording has too many secrets for its size, sets
  /// `problem` and returns an empty recording, which the caller must not keep.
  package mutating func scrubbed(_ recording: Recording) -> Recording {
    secrets.collect(from: recording)
    let count = secrets.values.count
    let isUsual = count <= Self.valueCountUsual
    guard isUsual || count <= Self.searchMax / max(1, Self.byteCount(of: recording)) else {
      problem =
        "its requests and answers contain \(count) different secrets, too many for their size"
      return Recording(now: recording.now)
    }
    secrets.collectBodyFields(of: recording)
    replacements = Self.replacements(secrets.values, secrets.bodyValues)
    var copy = recording
    copy.options = object(recording.options, naming: .fields)
    copy.state = recording.state.map(value)
    for index in copy.runs.indices {
      copy.runs[index].requests = recording.runs[index].requests.map(request)
      copy.runs[index].transfer = recording.runs[index].transfer.map(transfer)
    }
    copy.validators = Dictionary(
      recording.validators.map { (ExactText(address($0.key.text)), $0.value) },
      uniquingKeysWith: { first, _ in first })
    copy.makeUpNumbers(isNumber)
    copy.keepSameBodies(as: recording)
    return copy
  }

  private static func byteCount(of recording: Recording) -> Int {
    recording.runs.flatMap(\.requests).reduce(0) { count, request in
      var fields = request.headers
      var bytes = count + request.url.utf8.count + (request.body?.bytes.count ?? 0)
      if case .answer(let answer) = request.end {
        fields += answer.headers
        bytes += answer.body.bytes.count
      }
      return fields.reduce(bytes) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }
  }

  // MARK: Replacing

  private func request(_ request: RecordedRequest) -> RecordedRequest {
    var copy = request
    copy.url = address(request.url)
    copy.headers = request.headers.map(header)
    copy.body?.bytes = body(ofRequest: request.body?.bytes ?? [], request.headers)
    if case .answer(var answer) = request.end {
      let body = body(ofAnswer: answer.body.bytes, answer.headers)
      answer.headers = answer.headers.map(header)
      answer.body.bytes = body
      copy.end = .answer(answer)
    }
    return copy
  }

  private func transfer(_ transfer: RecordedTransfer) -> RecordedTransfer {
    var copy = transfer
    copy.url = address(transfer.url)
    copy.etag = transfer.etag.map(text)
    copy.failure?.message = text(transfer.failure?.message ?? "")
    return copy
  }

  private func header(_ field: HTTPField) -> HTTPField {
    let name = field.name.asciiLowercased
    if name == "set-cookie", let (name, _, attributes) = Self.cookie(field.value) {
      return HTTPField(field.name, "\(name)=\(Self.placeholder)\(text(attributes))")
    }
    if SecretNames.isSecret(header: name) {
      let isSchemed = name.hasSuffix("authorization")
      let scheme = isSchemed ? field.value.split(separator: " ").first.map { "\($0) " } : nil
      let redacted = String(text(field.value).dropFirst(scheme?.count ?? 0))
      // Basic credentials get the placeholder, because the Base64 digits around a mark would depend
      // on the secret's length.
      let isBasic = scheme?.asciiLowercased == "basic "
      let shown = Self.isRedacted(redacted) && !isBasic ? redacted : Self.placeholder
      return HTTPField(field.name, (scheme ?? "") + shown)
    }
    let value =
      switch name {
      case "location": address(field.value)
      case "link": Self.links(text(field.value)).map(address).joined(separator: "<")
      default: text(field.value)
      }
    return HTTPField(field.name, value)
  }

  private func address(_ url: String) -> String {
    var url = text(url)
    for (name, value) in Self.fields(url)
    where SecretNames.isSecret(field: name) && !Self.isRedacted(value) {
      url = url.replacing("\(name)=\(value)", with: "\(name)=\(Self.placeholder)")
    }
    return url
  }

  private enum Naming { case headers, fields }

  private func object(_ object: ValueObject, naming: Naming? = nil) -> ValueObject {
    ValueObject(
      object.members.map { member in
        let name = member.key
        if case .object(let inner) = member.value, naming == .fields {
          return (name, .object(self.object(inner, naming: Self.naming(ofTable: name))))
        }
        if let naming, let number = Self.madeUp(member.value, named: name, naming) {
          return (name, number)
        }
        guard let naming, let content = member.value.stringValue, !content.isEmpty else {
          return (text(name), value(member.value))
        }
        switch naming {
        case .headers: return (name, .string(header(HTTPField(name, content)).value))
        case .fields:
          let isSecret = SecretNames.isSecret(field: name)
          return (name, .string(isSecret ? Self.placeholder : address(content)))
        }
      })
  }

  /// The number that replaces a secret number in options. A placeholder would have another type.
  static let madeUpNumber: Int64 = 9_090_909_090_909

  /// Returns the made-up value for an option that is a secret number; nil for any other option. A
  /// short number counts as secret only under a name that also means a secret in a body.
  private static func madeUp(_ value: Value, named name: String, _ naming: Naming) -> Value? {
    let isSecret =
      switch naming {
      case .headers: SecretNames.isSecret(header: name)
      case .fields:
        SecretNames.isSecret(bodyField: name)
          || SecretNames.isSecret(field: name)
            && (value.displayText?.utf8.count ?? 0) >= valueBytesMin
      }
    guard isSecret else { return nil }
    return switch value {
    case .integer: .integer(madeUpNumber)
    case .number: .number(Double(madeUpNumber))
    default: nil
    }
  }

  private static func naming(ofTable name: String) -> Naming? {
    switch name {
    case "headers": .headers
    case "query", "form", "auth": .fields
    default: nil
    }
  }

  private func value(_ whole: Value) -> Value {
    switch whole {
    case .string(let content): .string(text(content))
    case .bytes(let content): .bytes(bytes(content))
    case .array(let list): .array(list.map(value))
    case .object(let members): .object(object(members))
    default: whole
    }
  }

  /// Returns the text without secrets.
  package func text(_ text: String) -> String {
    String(decoding: bytes(Array(text.utf8)), as: UTF8.self)
  }

  func bytes(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = redact?(bytes) ?? bytes
    for (form, other) in replacements { bytes = ByteSearch.replacing(form, in: bytes, other) }
    return bytes
  }

  // MARK: Forms

  /// Returns the replacements of all values. Different values in `bodyValues` get different
  /// placeholders, because a plugin may compare these values.
  private static func replacements(
    _ values: Set<[UInt8]>, _ bodyValues: [[UInt8]]
  ) -> [(form: [UInt8], other: [UInt8])] {
    var others: [[UInt8]: [UInt8]] = [:]
    for form in values.flatMap(forms) { others[form] = placeholderBytes }
    for (index, value) in bodyValues.enumerated() {
      let other = placeholderBytes + (index == 0 ? [] : Array("\(index + 1)".utf8))
      for form in forms(value) where others[form] == nil { others[form] = other }
    }
    return others.map { (form: $0.key, other: $0.value) }.sorted { $0.form.count > $1.form.count }
  }

  static func isScrubbed(_ text: String) -> Bool {
    text.contains(placeholder) || text.contains(Redactor.mark)
  }

  /// Whether a text consists only of the mark of a redacted secret.
  private static func isRedacted(_ text: String) -> Bool {
    text.hasPrefix(Redactor.mark) && text.firstIndex(of: "]") == text.indices.last
  }

  /// Returns the forms of a value that the redactor looks for: plain, percent-encoded as in
  /// addresses, and as a JSON string, with `/` and with `\/`.
  private static func forms(_ value: [UInt8]) -> [[UInt8]] {
    var json = JSONWriter()
    json.write(string: String(decoding: value, as: UTF8.self))
    let content = Array(json.bytes.dropFirst().dropLast())
    let slash = ByteSearch.replacing([UInt8(ascii: "/")], in: content, Array("\\/".utf8))
    return [value, PercentEncoding.encode(value), content, slash]
  }
}
