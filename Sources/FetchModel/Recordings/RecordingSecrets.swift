import FetchValues

/// The secrets of a recording that `RecordingRedactor` finds itself.
struct RecordingSecrets: Sendable {
  /// The maximum number of different values from bodies and from the state that the redactor looks
  /// for everywhere. The number is limited, because a server may send thousands of values. Further
  /// values are removed only from body fields with secret names, and stay in the state.
  private static let bodyValueCountMax = 32

  /// See `RecordingRedactor.found`.
  private(set) var found: [String] = []
  private var foundPlaces: Set<String> = []
  /// The values from options, addresses and headers.
  private(set) var values: Set<[UInt8]> = []
  /// The secret values from bodies and from the state. The order of the values decides their
  /// placeholders.
  private(set) var bodyValues: [[UInt8]] = []
  /// See `RecordingRedactor.redact`.
  private let redact: (@Sendable ([UInt8]) -> [UInt8])?

  init(redacting redact: (@Sendable ([UInt8]) -> [UInt8])?) { self.redact = redact }

  /// Collects the secrets of options, addresses and headers.
  mutating func collect(from recording: Recording) {
    for option in recording.options.members where SecretNames.isSecret(field: option.key) {
      let isMadeUp = option.value.numberValue == Double(RecordingRedactor.madeUpNumber)
      if let text = option.value.displayText, !text.isEmpty, !isMadeUp {
        note("the option \(option.key)", text)
      }
    }
    for transfer in recording.runs.compactMap(\.transfer) { collect(fromAddress: transfer.url) }
    for request in recording.runs.flatMap(\.requests) {
      collect(fromAddress: request.url)
      for field in request.headers where SecretNames.isSecret(header: field.name) {
        if field.value.hasPrefix("AWS4-HMAC-SHA256 ") {
          // Each request has a signature of its own, which occurs nowhere else.
          note(place: "the header \(field.name)")
        } else {
          note("the header \(field.name)", RecordingRedactor.credential(field.value))
        }
        if let password = RecordingRedactor.password(field.value) { values.insert(password) }
      }
      if case .answer(let answer) = request.end { collect(fromAnswer: answer.headers) }
    }
  }

  private mutating func collect(fromAnswer headers: [HTTPField]) {
    for field in headers {
      switch field.name.asciiLowercased {
      case "set-cookie":
        guard let (name, cookie, _) = RecordingRedactor.cookie(field.value) else { continue }
        note("the cookie \(name)", cookie)
      case "location": collect(fromAddress: field.value)
      case "link": for part in RecordingRedactor.links(field.value) { collect(fromAddress: part) }
      case let name where SecretNames.isSecret(header: name):
        note("the header \(field.name)", field.value)
      default: break
      }
    }
  }

  private mutating func collect(fromAddress url: String) {
    for (name, text) in RecordingRedactor.fields(url) where SecretNames.isSecret(field: name) {
      note("the query field \(name)", text)
      note("the query field \(name)", RecordingRedactor.decoded(text))
    }
  }

  /// Collects the secret fields of the state and of bodies. The caller collects the secrets of
  /// headers, addresses and options first, because their descriptions are clearer for people.
  mutating func collectBodyFields(of recording: Recording) {
    if let state = recording.state { collect(fromState: state) }
    for request in recording.runs.flatMap(\.requests) {
      collect(fromRequest: request.body?.bytes ?? [], request.headers)
      if case .answer(let answer) = request.end {
        collect(fromAnswer: answer.body.bytes, answer.headers)
      }
    }
  }

  private mutating func collect(fromState value: Value) {
    switch value {
    case .array(let list): for element in list { collect(fromState: element) }
    case .object(let object):
      for (name, value) in object.members {
        if let text = value.stringValue, SecretNames.isSecret(bodyField: name) {
          note(bodyField: name, text)
        }
        collect(fromState: value)
      }
    default: break
    }
  }

  private mutating func collect(fromRequest bytes: [UInt8], _ headers: [HTTPField]) {
    for field in BodyField.secrets(inRequest: bytes, headers) {
      if SecretNames.isSecret(bodyField: field.name) { note(bodyField: field.name, field.value) }
      if isUnknown(field.value) { note(place: "the body field \(field.name)") }
    }
  }

  private mutating func collect(fromAnswer bytes: [UInt8], _ headers: [HTTPField]) {
    for field in BodyField.secrets(inAnswer: bytes, headers) {
      note(bodyField: field.name, field.value)
    }
  }

  private mutating func note(bodyField name: String, _ text: String) {
    guard bodyValues.count < Self.bodyValueCountMax, let value = BodyField.secret(in: text),
      !values.contains(value), !bodyValues.contains(value), isUnknown(text)
    else { return }
    bodyValues.append(value)
    note(place: "the body field \(name)")
  }

  private func isUnknown(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard !values.contains(bytes), !RecordingRedactor.isScrubbed(text) else { return false }
    return redact?(bytes) ?? bytes == bytes
  }

  private mutating func note(place: String) {
    if foundPlaces.insert(place).inserted { found.append(place) }
  }

  private mutating func note(_ place: String, _ text: String) {
    guard !text.isEmpty, text != RecordingRedactor.placeholder else { return }
    note(place: place)
    if text.utf8.count >= RecordingRedactor.valueBytesMin { values.insert(Array(text.utf8)) }
  }
}
