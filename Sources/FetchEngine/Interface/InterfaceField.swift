/// A named value that a plugin writes or reads.
package struct InterfaceField {
  /// The names of the field. There are several if fields differ only in their names.
  package var names: [String]
  /// The type of the field in LuaLS's notation.
  package var type: String
  /// The kind of value, for the page; nil if the table on the page has no such column.
  package var kind: String?
  package var summary: String
  /// Whether the field is optional or may be absent.
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
