/// A name with a value that a plugin writes or reads.
package struct InterfaceField {
  /// Several names if they differ in nothing else.
  package var names: [String]
  /// The type in LuaLS's notation.
  package var type: String
  /// The kind of value for the page; nil if its table has no such column.
  package var kind: String?
  package var summary: String
  /// Whether it is optional or may be absent.
  package var isOptional: Bool

  init(
    _ names: String..., type: String, kind: String? = nil, isOptional: Bool = true,
    _ summary: String
  ) {
    self.names = names
    self.type = type
    self.kind = kind
    self.summary = summary
    self.isOptional = isOptional
  }
}
