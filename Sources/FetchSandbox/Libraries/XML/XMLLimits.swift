/// What a document may cost. Each limit holds for XML, feeds and HTML alike.
enum XMLLimits {
  /// libxml2 counts in 32-bit integers; the host's body limit is lower.
  static let inputBytesMax = 64 << 20
  /// Elements inside each other. Real documents stay below 100, libxml2's own limit is 256.
  static let depthMax = 200
  /// Elements, attributes and texts together; about 120 bytes each as a tree.
  static let nodeCountMax = 500_000
  /// The same for a tree that a plugin holds.
  static let treeNodeCountMax = 400_000
  /// Unclosed elements of an HTML page; libxml2 searches them all at each end tag.
  static let openTagCountMax = 4096
  /// libxml2 compares each attribute of an element with all before it: 100,000 cost 3.4 s.
  static let attributeCountMax = 256
  /// Namespace declarations in scope, which are searched one by one for each element.
  static let namespaceCountMax = 256
  /// Bytes that entities declared in a document's DTD may add to it.
  static let entityGrowthBytesMax = 65_536
}
