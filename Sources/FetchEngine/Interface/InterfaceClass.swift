/// A table with known fields and methods: a response, a node, `ctx`.
package struct InterfaceClass {
  /// In the stubs: `fetchrun.Response`.
  package var name: String
  /// What its value is called on the page: `response`, `ctx`; nil where names stand alone.
  package var value: String?
  /// The first cells of its table on the page: `field`, `option`, `key`.
  package var headings: [String]
  package var fields: [InterfaceField] = []
  package var methods: [InterfaceFunction] = []
  /// As LuaLS has them: `concat(string): string`.
  package var operators: [String] = []
  /// Whether it may have further fields, of any kind.
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
