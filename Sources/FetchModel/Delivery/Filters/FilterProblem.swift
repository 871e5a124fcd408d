/// The reason why a text is not a valid filter, with the place of the mistake.
package struct FilterProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The message, which ends with the place, such as `(character 7)`, if the place is known.
  package var description: String

  /// Creates a problem from its description and place.
  ///
  /// - Parameter place: the index of the character at which the problem is, starting at 0; nil if
  ///   unknown.
  init(_ description: String, at place: Int? = nil) {
    self.description = description + (place.map { " (character \($0 + 1))" } ?? "")
  }
}
