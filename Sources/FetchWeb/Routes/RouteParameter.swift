package import FetchValues

/// One parameter of a route. The check of requests, the OpenAPI document and the reference page are
/// made from the parameters.
package struct RouteParameter: Sendable {
  package enum Place: String, Sendable { case path, query }

  package enum Kind: Sendable {
    /// Text that is not empty and has at most the given number of Unicode scalars. JSON Schema also
    /// measures the length of text in Unicode scalars.
    case text(scalarsMax: Int)
    case integer(ClosedRange<Int64>)
    case choice([String])
    case flag
    /// One or more of the given words, separated by commas. Each word may occur at most once.
    case words([String])
    /// The id of an event.
    case cursor
  }

  package var name: String
  package var place: Place
  package var kind: Kind
  package var isRequired: Bool
  package var sentence: String
  package var usual: Value?
  package var example: Value?

  package init(
    _ name: String, _ kind: Kind, in place: Place = .query, isRequired: Bool = false,
    usual: Value? = nil, example: Value? = nil, _ sentence: String
  ) {
    self.name = name
    self.place = place
    self.kind = kind
    self.isRequired = isRequired || place == .path
    self.usual = usual
    self.example = example
    self.sentence = sentence
  }

  /// Returns the value of a text. Throws `invalidParameter` with the reason if the text is invalid.
  func read(_ text: String) throws(WebProblem) -> Value {
    switch kind {
    case .text(let scalarsMax):
      guard !text.isEmpty else { throw problem("must not be empty") }
      guard text.unicodeScalars.count <= scalarsMax else {
        throw problem("has more than \(scalarsMax) characters")
      }
      return .string(text)
    case .integer(let range):
      let range = range
      let bytes = text.utf8
      guard (1...19).contains(bytes.count), bytes.allSatisfy(\.isASCIIDigit),
        bytes.first != UInt8(ascii: "0") || bytes.count == 1, let number = Int64(text),
        range.contains(number)
      else {
        throw problem("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return .integer(number)
    case .choice(let words):
      guard words.contains(where: { $0.hasSameBytes(as: text) }) else {
        let list = words.joined(separator: ", ")
        throw problem("must be one of \(list)\(NearestName.hint(text, among: words))")
      }
      return .string(text)
    case .flag:
      guard text == "true" || text == "false" else { throw problem("must be true or false") }
      return .bool(text == "true")
    case .words(let known):
      var words: [Value] = []
      for word in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard known.contains(where: { $0.hasSameBytes(as: word) }) else {
          let list = known.joined(separator: ", ")
          let hint = NearestName.hint(String(word), among: known)
          throw problem("must be one or more of \(list), separated by commas\(hint)")
        }
        guard !words.contains(.string(String(word))) else {
          throw problem("must not contain a word twice")
        }
        words.append(.string(String(word)))
      }
      return .array(words)
    case .cursor:
      guard EventCursor(text) != nil else {
        throw problem("must be the id of an event, such as 48213-9120")
      }
      return .string(text)
    }
  }

  private func problem(_ what: String) -> WebProblem {
    WebProblem(
      .invalidParameter, 400, "invalid parameter '\(name)': it \(what)",
      errors: [.init(parameter: name, "it \(what)")])
  }

  /// The JSON Schema of the value.
  package var schema: Value {
    var object = ValueObject()
    switch kind {
    case .text(let scalarsMax):
      object.append("type", "string")
      object.append("minLength", 1)
      object.append("maxLength", .integer(Int64(scalarsMax)))
      object.append("pattern", #"^[^\u0000]+$"#)
    case .integer(let range):
      object.append("type", "integer")
      object.append("minimum", .integer(range.lowerBound))
      object.append("maximum", .integer(range.upperBound))
    case .choice(let words):
      object.append("type", "string")
      object.append("enum", .array(words.map(Value.string)))
    case .flag: object.append("type", "boolean")
    case .words(let words):
      object.append("type", "array")
      object.append("items", ["type": "string", "enum": .array(words.map(Value.string))])
      object.append("minItems", 1)
      object.append("uniqueItems", true)
    case .cursor:
      object.append("type", "string")
      object.append("pattern", "^[0-9]{1,18}-[0-9]{1,18}$")
    }
    if let usual { object.append("default", usual) }
    return .object(object)
  }
}

extension RouteParameter.Kind {
  /// The kind of parameters that contain names, such as names of jobs.
  package static let name = RouteParameter.Kind.text(scalarsMax: 500)
  package static let positive = RouteParameter.Kind.integer(1...Int64.max)
}
