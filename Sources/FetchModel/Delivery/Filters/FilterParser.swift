/// Reads the text of a filter, by recursive descent.
struct FilterParser {
  private let tokens: [FilterToken]
  private var next = 0
  private var depth = 0

  private static let depthMax = 32

  init(_ text: String) throws(FilterProblem) { tokens = try FilterToken.all(in: text) }

  mutating func whole() throws(FilterProblem) -> FilterTerm {
    guard !tokens.isEmpty else { throw FilterProblem("is empty") }
    let term = try either()
    if let token = peek { throw FilterProblem("has \(token.quoted) where it should end") }
    return term
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
      throw FilterProblem("has more than \(Self.depthMax) parts within each other")
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
    if take(.sign("(")) {
      let term = try either()
      guard take(.sign(")")) else { throw FilterProblem("has a '(' without its ')'") }
      return term
    }
    let left = try operand()
    guard let comparison = peek?.comparison else { return left }
    next += 1
    return .comparison(left, comparison, try operand())
  }

  private mutating func operand() throws(FilterProblem) -> FilterTerm {
    guard let token = peek else { throw FilterProblem("ends where a field or a value should be") }
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
    default: throw FilterProblem("has \(token.quoted) where a field or a value should be")
    }
  }

  private mutating func list() throws(FilterProblem) -> [Value] {
    var values: [Value] = []
    while !take(.sign("]")) {
      if !values.isEmpty, !take(.sign(",")) {
        throw FilterProblem("has a list whose values are not parted by ','")
      }
      guard case .literal(let value) = try operand() else {
        throw FilterProblem("has a list of other things than values")
      }
      if case .array = value { throw FilterProblem("has a list in a list") }
      values.append(value)
    }
    return values
  }
}
