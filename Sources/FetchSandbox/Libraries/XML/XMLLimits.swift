/// The limits of a document. Each limit applies to XML, feeds and HTML alike.
enum XMLLimits {
  /// The maximum size of a document, because libxml2 counts in 32-bit integers. The host's limit of
  /// a body is lower.
  static let inputBytesMax = 64 << 20
  /// The maximum nesting of elements. Real documents have less than 100 levels, and libxml2's own
  /// limit is 256.
  static let depthMax = 200
  /// The maximum number of elements, attributes and texts together. Each of them takes about 120
  /// bytes in a tree.
  static let nodeCountMax = 500_000
  /// The maximum number of nodes of a tree to which a plugin refers.
  static let treeNodeCountMax = 400_000
  /// The maximum number of unclosed elements of an HTML page, because libxml2 searches all of them
  /// at each end tag.
  static let openTagCountMax = 4096
  /// The maximum number of attributes of an element. libxml2 compares each attribute with all
  /// earlier attributes, which takes 3.4 s for 100,000 attributes.
  static let attributeCountMax = 256
  /// The maximum number of namespace declarations in scope, because they are searched one by one
  /// for each element.
  static let namespaceCountMax = 256
  /// The maximum number of bytes that the entities in a document's DTD may add to the document.
  static let entityGrowthBytesMax = 65_536
}
