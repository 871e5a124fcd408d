package import FetchValues

/// A text of a request as plugins see it, with the names of secrets instead of their values.
package struct SecretText: Equatable, Sendable {
  package enum Part: Equatable, Sendable {
    case text(String)
    case secret(name: String, spelling: Spelling)

    var isText: Bool { if case .text = self { true } else { false } }
  }

  /// The encoding in which a secret's value is inserted into the text.
  package enum Spelling: String, Equatable, Sendable {
    case plain
    /// The value is percent-encoded for addresses and forms, except RFC 3986's unreserved
    /// characters and the colon. A colon is valid in paths and queries, and Telegram's tokens
    /// contain a colon.
    case url
  }

  package var parts: [Part]

  /// The maximum number of parts, which is more than any real header, address or form has.
  package static let partsMax = 64

  package init(_ parts: [Part]) { self.parts = parts }
}

extension SecretText {
  /// The names of the secrets in the text, without duplicates, in order.
  package var names: [String] {
    var names: [String] = []
    for case .secret(let name, _) in parts where !names.contains(name) { names.append(name) }
    return names
  }

  /// The text for plugins and people, with `secret(NAME)` for each value. An address can contain
  /// this form.
  package var shown: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .secret(let name, _): "secret(\(name))"
      }
    }.joined()
  }

  /// The parts of the text that are not secret.
  package var plain: [String] {
    parts.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  /// Returns the text with the values of its secrets inserted. If `spelling` is given, it replaces
  /// the spelling of each part.
  package func opened<Problem: Error>(
    spelling: Spelling? = nil, _ value: (String) throws(Problem) -> SecretValue
  ) throws(Problem) -> String {
    var opened = ""
    for part in parts {
      switch part {
      case .text(let text): opened += text
      case .secret(let name, let own):
        let text = try value(name).text
        opened += (spelling ?? own) == .url ? Self.encoded(text) : text
      }
    }
    return opened
  }

  private static func encoded(_ text: String) -> String {
    PercentEncoding.encode(text).replacing("%3A", with: ":")
  }
}

// MARK: The wire's form

extension SecretText {
  /// The only key of the JSON object that represents a text with secrets: `{"$secret": [part,
  /// ...]}`. Each part is a string, `{"name": ...}` or `{"name": ..., "as": "url"}`.
  package static let mark = "$secret"

  /// Whether a value in a host call has the form of a text with secrets.
  package static func isMarked(_ value: Value) -> Bool {
    guard case .object(let object) = value else { return false }
    return object.count == 1 && object[mark] != nil
  }

  /// Reads a text from a value that a worker sent. The value is not trusted. A plain string is a
  /// text without secrets.
  package init(wire value: Value) throws(SecretProblem) {
    if let text = value.stringValue {
      self.init([.text(text)])
      return
    }
    guard Self.isMarked(value), let parts = value[Self.mark]?.arrayValue, !parts.isEmpty else {
      throw SecretProblem("must be a string or a secret, not \(value.kindName.withArticle)")
    }
    guard parts.count <= Self.partsMax else {
      throw SecretProblem("consists of more than \(Self.partsMax) texts and secrets")
    }
    self.init([])
    for part in parts { self.parts.append(try Self.part(part)) }
  }

  private static func part(_ value: Value) throws(SecretProblem) -> Part {
    if let text = value.stringValue { return .text(text) }
    guard let object = value.objectValue, let name = object["name"]?.stringValue,
      SecretName.isValid(name),
      let spelling = Spelling(rawValue: object["as"]?.stringValue ?? Spelling.plain.rawValue)
    else { throw SecretProblem("has a part that is neither text nor a secret") }
    return .secret(name: name, spelling: spelling)
  }

  /// The text in the form that `init(wire:)` reads.
  package var wire: Value {
    let parts = parts.map { part -> Value in
      switch part {
      case .text(let text): .string(text)
      case .secret(let name, .plain): ["name": .string(name)]
      case .secret(let name, let spelling):
        ["name": .string(name), "as": .string(spelling.rawValue)]
      }
    }
    return .object(ValueObject([(Self.mark, .array(parts))]))
  }
}
