public import FetchValues

/// Tests write names as literals. The program's own code cannot, so that a text of one kind does
/// not become a name of another.
extension Name: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text) }
}
