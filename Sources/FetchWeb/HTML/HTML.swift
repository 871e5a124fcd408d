/// A piece of HTML.
///
/// Literals are markup; every interpolated `String` is escaped. Only a `StaticString` can become
/// markup: with a `String`, neither `let html: HTML = title` nor `HTML(stringLiteral: title)`
/// compiles.
///
/// Attribute values are always in double quotes, where these escapes are safe.
package struct HTML: Sendable {
  /// The markup in UTF-8.
  package private(set) var bytes: [UInt8]

  /// Creates a piece without content.
  package init() { bytes = [] }

  /// The markup as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package var isEmpty: Bool { bytes.isEmpty }

  package static func + (left: HTML, right: HTML) -> HTML {
    var sum = left
    sum.bytes += right.bytes
    return sum
  }

  package static func += (left: inout HTML, right: HTML) { left.bytes += right.bytes }
}

extension HTML: ExpressibleByStringInterpolation {
  package init(stringLiteral markup: StaticString) {
    self.init()
    append(markup)
  }

  package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.html }

  private mutating func append(_ markup: StaticString) {
    markup.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// The builder of a literal with interpolated values.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var html = HTML()

    package init(literalCapacity: Int, interpolationCount: Int) {
      html.bytes.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    package mutating func appendLiteral(_ markup: StaticString) { html.append(markup) }

    /// Appends text, escaped.
    package mutating func appendInterpolation(_ text: String) {
      TextEscape.append(text, to: &html.bytes)
    }

    package mutating func appendInterpolation(_ number: Int) { decimal(Int64(number)) }

    package mutating func appendInterpolation(_ number: Int64) { decimal(number) }

    package mutating func appendInterpolation(_ part: HTML) { html.bytes += part.bytes }

    /// Appends the piece; appends nothing if it is nil.
    package mutating func appendInterpolation(_ part: HTML?) {
      if let part { html.bytes += part.bytes }
    }

    /// Appends one piece for each element.
    package mutating func appendInterpolation<Elements: Sequence>(
      each elements: Elements, _ body: (Elements.Element) -> HTML
    ) {
      for element in elements { html.bytes += body(element).bytes }
    }

    /// Appends the piece if the condition holds.
    package mutating func appendInterpolation(
      if condition: Bool, _ body: @autoclosure () -> HTML
    ) {
      if condition { html.bytes += body().bytes }
    }

    private mutating func decimal(_ number: Int64) {
      html.bytes.append(contentsOf: String(number).utf8)
    }
  }
}
