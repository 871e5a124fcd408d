/// The reason why a text is not a filter, with its place.
package struct FilterProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The message; ends with `(character 7)` if the place is known.
  package var description: String

  /// - Parameter place: the place of the problem, as a character counted from 0.
  init(_ description: String, at place: Int? = nil) {
    self.description = description + (place.map { " (character \($0 + 1))" } ?? "")
  }
}
