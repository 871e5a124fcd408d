/// Why a text is no filter, and where in it.
package struct FilterProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong; ends with `(character 7)` where it has a place.
  package var description: String

  /// - Parameter place: the character, counted from 0, at which it is seen.
  init(_ description: String, at place: Int? = nil) {
    self.description = description + (place.map { " (character \($0 + 1))" } ?? "")
  }
}
