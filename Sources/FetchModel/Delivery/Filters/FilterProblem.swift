/// Why a text is no filter.
package struct FilterProblem: Error, Equatable, Sendable, CustomStringConvertible {
  package var description: String
  init(_ description: String) { self.description = description }
}
