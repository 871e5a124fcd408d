/// A table with known fields and methods: a response, a node, `ctx`.
struct InterfaceClass {
  /// In the stubs: `fetchrun.Response`.
  var name: String
  /// What its value is called on the page: `response`, `ctx`; nil where names stand alone.
  var value: String?
  /// The first cells of its table on the page: `field`, `option`, `key`.
  var headings: [String]
  var fields: [InterfaceField] = []
  var methods: [InterfaceFunction] = []
  /// As LuaLS has them: `concat(string): string`.
  var operators: [String] = []
  /// Whether it may have further fields, of any kind.
  var isOpen = false

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
