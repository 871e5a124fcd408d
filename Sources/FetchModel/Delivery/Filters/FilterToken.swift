import FetchValues

enum FilterToken: Equatable {
  case name(String)
  case text(String)
  case number(Double)
  case sign(String)

  static let joins: Set<String> = ["and", "or", "not"]
  private static let bytesMax = 4096

  var comparison: FilterTerm.Comparison? {
    switch self {
    case .name(let word), .sign(let word): FilterTerm.Comparison(rawValue: word)
    default: nil
    }
  }

  var quoted: String {
    switch self {
    case .name(let word), .sign(let word): "'\(word)'"
    case .text(let text): "\"\(text.prefix(40))\""
    case .number(let number): "\(number)"
    }
  }

  /// Returns the tokens of a text, each with the index of its first Unicode scalar, starting at 0.
  static func all(
    in text: String
  ) throws(FilterProblem) -> [(token: FilterToken, place: Int)] {
    guard text.utf8.count <= bytesMax else {
      throw FilterProblem("is longer than \(bytesMax) bytes")
    }
    var scanner = Scanner(rest: Array(text.unicodeScalars)[...])
    var tokens: [(token: FilterToken, place: Int)] = []
    while let token = try scanner.token() { tokens.append((token, scanner.place)) }
    return tokens
  }

  private struct Scanner {
    var rest: ArraySlice<Unicode.Scalar>
    /// The index of the first character of the token that was read last.
    var place = 0

    private func problem(_ description: String) -> FilterProblem {
      FilterProblem(description, at: place)
    }

    mutating func token() throws(FilterProblem) -> FilterToken? {
      rest = rest.drop { $0.properties.isWhitespace }
      guard let first = rest.first else { return nil }
      place = rest.startIndex
      switch first {
      case "\"", "'": return try text(endingWith: first)
      case "(", ")", "[", "]", ",":
        rest.removeFirst()
        return .sign(String(first))
      case "=", "!", "<", ">": return try comparison(first)
      case "0"..."9", "-": return try number()
      case "a"..."z", "A"..."Z", "_": return .name(take(Self.isOfName))
      case "~":
        throw problem(
          "has a '~', but filters have no regular expressions: use the operator `contains`")
      default: throw problem("has an unexpected '\(first)'")
      }
    }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".": true
      default: false
      }
    }

    private mutating func take(_ belongs: (Unicode.Scalar) -> Bool) -> String {
      var text = String.UnicodeScalarView()
      while let scalar = rest.first, belongs(scalar) {
        text.append(scalar)
        rest.removeFirst()
      }
      return String(text)
    }

    private mutating func comparison(_ first: Unicode.Scalar) throws(FilterProblem) -> FilterToken {
      rest.removeFirst()
      if rest.first == "=" {
        rest.removeFirst()
        return .sign("\(first)=")
      }
      guard first == "<" || first == ">" else {
        throw problem("has a '\(first)'; write == or !=")
      }
      return .sign(String(first))
    }

    private mutating func number() throws(FilterProblem) -> FilterToken {
      let text = take { "0123456789.+-eE".unicodeScalars.contains($0) }
      guard let number = Double(text), number.isFinite else {
        throw problem("has '\(text.prefix(40))', which is not a number")
      }
      return .number(number)
    }

    private mutating func text(endingWith end: Unicode.Scalar) throws(FilterProblem) -> FilterToken
    {
      rest.removeFirst()
      var text = String.UnicodeScalarView()
      while var scalar = rest.popFirst() {
        if scalar == end { return .text(String(text)) }
        if scalar == "\\" {
          guard let escaped = rest.popFirst() else { break }
          scalar = escaped == "n" ? "\n" : escaped
        }
        text.append(scalar)
      }
      throw problem("has a string without a closing \(end)")
    }
  }
}
