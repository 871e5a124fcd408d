/// A node of a YAML document (YAML 1.2.2, chapter 3.2), with its place in the text. Each alias is
/// replaced by the node to which it refers.
enum Node {
  case scalar(Scalar)
  case sequence([Node], ConfigPlace)
  case mapping(Mapping, ConfigPlace)

  /// The entries of a mapping, in the order of the text. No two scalar keys have the same text.
  typealias Mapping = [(key: Node, value: Node)]

  struct Scalar {
    /// The text without quotation marks and escapes.
    var string: String
    /// The explicit tag in full: `tag:yaml.org,2002:str`.
    var tag: String?
    /// Whether the text is neither quoted nor a block.
    var isPlain: Bool
    var place: ConfigPlace
  }

  /// The text of a scalar; nil for other nodes.
  var string: String? {
    guard case .scalar(let scalar) = self else { return nil }
    return scalar.string
  }

  /// The entries of a mapping; nil for other nodes.
  var mapping: Mapping? {
    guard case .mapping(let mapping, _) = self else { return nil }
    return mapping
  }

  /// The place of the node's first character.
  var place: ConfigPlace {
    switch self {
    case .scalar(let scalar): scalar.place
    case .sequence(_, let place), .mapping(_, let place): place
    }
  }
}
