public import FetchValues

/// An initialiser with which tests write names as literals. The program's own code cannot use
/// literals, so that a text of one kind does not become a name of another kind.
extension Name: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text) }
}
