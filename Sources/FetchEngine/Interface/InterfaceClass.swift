/// A table with known fields and methods: a response, a node, `ctx`.
package struct InterfaceClass {
  /// The name in the stubs: `fetchrun.Response`.
  package var name: String
  /// The name of its value on the page: `response`, `ctx`; nil if names have no prefix.
  package var value: String?
  /// The first column's heading of its table on the page: `field`, `option`, `key`.
  package var headings: [String]
  package var fields: [InterfaceField] = []
  package var methods: [InterfaceFunction] = []
  /// The operators in LuaLS's notation: `concat(string): string`.
  package var operators: [String] = []
  /// Whether it may have additional fields of any kind.
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
