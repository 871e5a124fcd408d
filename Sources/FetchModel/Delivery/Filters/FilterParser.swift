import FetchValues

/// A recursive-descent parser for filters.
struct FilterParser {
  private let tokens: [FilterToken]
  /// The place of each token's first character, followed by the place of the end of the text.
  private let places: [Int]
  private var next = 0
  private var depth = 0

  private static let depthMax = 32
  private static let comparisons = "==, !=, <, <=, >, >=, contains, starts, ends or in"

  init(_ text: String) throws(FilterProblem) {
    let placed = try FilterToken.all(in: text)
    tokens = placed.map(\.token)
    places = placed.map(\.place) + [text.unicodeScalars.count]
  }

  /// Returns a problem at the next token. With `back`, the problem is at an earlier token: 1 means
  /// the last token that was read.
  private func problem(_ description: String, back: Int = 0) -> FilterProblem {
    FilterProblem(description, at: places[max(0, next - back)])
  }

  mutating func whole() throws(FilterProblem) -> FilterTerm {
    guard !tokens.isEmpty else { throw FilterProblem("is empty") }
    let term = try either()
    guard let token = peek else { return term }
    if next > 0, case .name = tokens[next - 1], next == 1 || tokens[next - 2].comparison == nil {
      throw problem("has \(token.quoted) instead of a comparison; use \(Self.comparisons)")
    }
    throw problem("has \(token.quoted) after the end of the condition")
  }

  private var peek: FilterToken? { next < tokens.count ? tokens[next] : nil }

  private mutating func take(_ token: FilterToken) -> Bool {
    guard peek == token else { return false }
    next += 1
    return true
  }

  private mutating func either() throws(FilterProblem) -> FilterTerm {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthMax else {
      throw problem("has more than \(Self.depthMax) nested parts")
    }
    var term = try both()
    while take(.name("or")) { term = .or(term, try both()) }
    return term
  }

  private mutating func both() throws(FilterProblem) -> FilterTerm {
    var term = try negated()
    while take(.name("and")) { term = .and(term, try negated()) }
    return term
  }

  private mutating func negated() throws(FilterProblem) -> FilterTerm {
    var isNegated = false
    while take(.name("not")) { isNegated.toggle() }
    let term = try compared()
    return isNegated ? .not(term) : term
  }

  private mutating func compared() throws(FilterProblem) -> FilterTerm {
    let opening = next
    if take(.sign("(")) {
      let term = try either()
      guard take(.sign(")")) else {
        throw FilterProblem("has a '(' without a matching ')'", at: places[opening])
      }
      return term
    }
    let left = try operand()
    guard let comparison = peek?.comparison else { return left }
    next += 1
    let right = try operand()
    if comparison != .isIn, case .field = left, case .field(let word) = right, word.count == 1,
      !FilterSubject.fields.contains(word[0])
    {
      throw problem(
        "compares with '\(word[0])', which is not a standard field: write \"\(word[0])\" for a "
          + "string, or fields.\(word[0]) for another field",
        back: 1)
    }
    return .comparison(left, comparison, right)
  }

  private mutating func operand() throws(FilterProblem) -> FilterTerm {
    guard let token = peek else { throw problem("ends where a field or a value should be") }
    next += 1
    switch token {
    case .text(let text): return .literal(.string(text))
    case .number(let number): return .literal(.number(number))
    case .name("true"): return .literal(true)
    case .name("false"): return .literal(false)
    case .name("null"): return .literal(nil)
    case .name(let name) where token.comparison == nil && !FilterToken.joins.contains(name):
      return .field(name.split(separator: ".").map(String.init))
    case .sign("["): return .literal(.array(try list()))
    default:
      throw problem("has \(token.quoted) where a field or a value should be", back: 1)
    }
  }

  private mutating func list() throws(FilterProblem) -> [Value] {
    var values: [Value] = []
    while !take(.sign("]")) {
      if !values.isEmpty, !take(.sign(",")) {
        throw problem("has a list without ',' or ']' after a value")
      }
      guard case .literal(let value) = try operand() else {
        throw problem("has a list with something that is not a value", back: 1)
      }
      if case .array = value { throw problem("has a nested list", back: 1) }
      values.append(value)
    }
    return values
  }
}
