/// One header line. Names compare without case (RFC 9110 section 5.1), values are kept as received.
package struct HTTPField: Equatable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
