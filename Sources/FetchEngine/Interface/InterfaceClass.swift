/// A table with known fields and methods: a response, a node, `ctx`.
package struct InterfaceClass {
  /// The class name in the stubs, such as `fetchrun.Response`.
  package var name: String
  /// The name of a value of this class on the page, such as `response` or `ctx`. Nil if the names
  /// on the page have no prefix.
  package var value: String?
  /// The column headings of the table on the page. The first is a word such as `field`, `option` or
  /// `key`.
  package var headings: [String]
  package var fields: [InterfaceField] = []
  package var methods: [InterfaceFunction] = []
  /// The operators in LuaLS's notation, such as `concat(string): string`.
  package var operators: [String] = []
  /// Whether the table may have additional fields of any kind.
  package var isOpen = false

  init(
    _ name: String, value: String? = nil, headings: [String], fields: [InterfaceField] = [],
    methods: [InterfaceFunction] = [], operators: [String] = [], isOpen: Bool = false
  ) {
    self.name = name
    self.value = value
    self.headings = headings
    self.fields = fields
    self.methods = methods
    self.operators = operators
    self.isOpen = isOpen
  }
}
