/// Something with a name and a value that a plugin writes or reads.
package struct InterfaceField {
  /// Several where they differ in nothing but the name.
  package var names: [String]
  /// As LuaLS has it.
  package var type: String
  /// What kind of value it is, for the page; nil where its table has no such column.
  package var kind: String?
  package var summary: String
  /// Whether it may be left out, or absent.
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
