/// The limits of a document. Each applies to XML, feeds and HTML alike.
enum XMLLimits {
  /// libxml2 counts in 32-bit integers; the host's body limit is lower.
  static let inputBytesMax = 64 << 20
  /// The nesting of elements. Real documents stay below 100; libxml2's own limit is 256.
  static let depthMax = 200
  /// Elements, attributes and texts together; about 120 bytes each as a tree.
  static let nodeCountMax = 500_000
  /// The same count for a tree that a plugin holds.
  static let treeNodeCountMax = 400_000
  /// The unclosed elements of an HTML page; libxml2 searches them all at each end tag.
  static let openTagCountMax = 4096
  /// The attributes of an element; libxml2 compares each with all before it: 100,000 cost 3.4 s.
  static let attributeCountMax = 256
  /// The namespace declarations in scope, searched one by one for each element.
  static let namespaceCountMax = 256
  /// The bytes that entities declared in a document's DTD may add to it.
  static let entityGrowthBytesMax = 65_536
}
