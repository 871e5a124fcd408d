/// Why a text is no duration or no size; the message says what would be one.
package struct UnitTextError: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(description: String) { self.description = description }
}
