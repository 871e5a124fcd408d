/// A module of the plugin interface, which `require` returns.
package struct InterfaceModule {
  package var name: String
  package var functions: [InterfaceFunction]
  /// The fields of the module that are not functions.
  package var values: [InterfaceField] = []

  init(_ name: String, _ functions: [InterfaceFunction], values: [InterfaceField] = []) {
    self.name = name
    self.functions = functions
    self.values = values
  }
}

/// A section of the page for plugin authors. It contains modules that share a table, and classes.
/// Either list may be empty.
package struct InterfaceSection {
  /// The heading on the page.
  package let title: String
  package let modules: [InterfaceModule]
  /// The classes of the section. Each has its own table on the page.
  package let classes: [InterfaceClass]
  /// The classes that appear only in the stubs for editors.
  package let stubClasses: [InterfaceClass]

  init(
    _ title: String, _ modules: [InterfaceModule] = [], classes: [InterfaceClass] = [],
    stubClasses: [InterfaceClass] = []
  ) {
    self.title = title
    self.modules = modules
    self.classes = classes
    self.stubClasses = stubClasses
  }
}

/// The description of a Lua value with fields and methods, such as a response, a node or `ctx`.
package struct InterfaceClass {
  /// The name of the class in the stubs, such as `fetchrun.Response`. If the class has a base
  /// class, the base class follows after a colon.
  package var name: String
  /// The name of a value of this class on the page, such as `response` or `ctx`; nil if the page
  /// uses no such name.
  package var value: String?
  /// The column headings of the table on the page.
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

/// A named value that a plugin or a hook file reads or writes.
package struct InterfaceField {
  /// The names of the field. There are several if fields differ only in their names.
  package var names: [String]
  /// The type of the field in LuaLS's notation.
  package var type: String
  /// The text of the middle column on the page, for example the kind of value or the default value.
  /// Nil if the table on the page has no such column.
  package var kind: String?
  package var summary: String
  /// Whether the field may be absent.
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

/// A function of the interface, which Lua code or the host calls.
package struct InterfaceFunction {
  /// The names of the function. There are several if functions differ only in their names.
  package var names: [String]
  /// The list of the parameters in LuaLS's notation. It is read only when it is needed, because most
  /// commands need only the names of the modules.
  private let parameterList: String
  /// The results in LuaLS's notation, such as `string? message`.
  package var results: [String]
  /// The description for the page and the stubs.
  package var summary: String
  /// The description of the results; nil if the table on the page has no such column.
  package var returned: String?
  /// An example in Lua; nil if none is needed.
  package var example: String?

  init(
    _ names: String..., parameters: String = "", results: String..., summary: String,
    returned: String? = nil, example: String? = nil
  ) {
    self.names = names
    self.parameterList = parameters
    self.results = results
    self.summary = summary
    self.returned = returned
    self.example = example
  }

  package var parameters: [InterfaceParameter] { InterfaceParameter.list(parameterList) }

  /// The parameters as the page shows them: `(text [, {raw=}])`.
  package var shownParameters: String {
    var text = ""
    for (index, parameter) in parameters.enumerated() {
      let comma = index == 0 ? "" : ", "
      let space = index == 0 ? "" : " "
      text +=
        parameter.isOptional
        ? "\(space)[\(comma)\(parameter.shown)]" : comma + parameter.shown
    }
    return "(\(text))"
  }
}

/// One parameter of a function of the interface, read from LuaLS's notation: `text: string`,
/// `options?: {pretty?: boolean}`, `...: string`.
package struct InterfaceParameter: Equatable {
  package var name: String
  package var type: String
  package var isOptional: Bool

  init(_ text: Substring) {
    let colon = text.firstIndex(of: ":") ?? text.endIndex
    let label = text[..<colon]
    isOptional = label.last == "?"
    name = String(isOptional ? label.dropLast() : label)
    type = String(text[colon...].dropFirst().drop { $0 == " " })
  }

  /// Returns the parameters in a list. Commas separate the parameters, except commas inside braces,
  /// parentheses or angle brackets.
  package static func list(_ text: String) -> [InterfaceParameter] {
    var parts: [Substring] = []
    var depth = 0
    var start = text.startIndex
    for index in text.indices {
      switch text[index] {
      case "{", "(", "<": depth += 1
      case "}", ")", ">": depth -= 1
      case "," where depth == 0:
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    parts.append(text[start...])
    return parts.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
      .map { InterfaceParameter($0) }
  }

  /// The parameter as the page shows it, such as `text`, `{pretty=, sort=}` or `…`.
  package var shown: String {
    if name == "..." { return "…" }
    guard type.hasPrefix("{"), type.hasSuffix("}"), !type.hasPrefix("{[") else { return name }
    let keys = Self.list(String(type.dropFirst().dropLast())).map { $0.name + "=" }
    return "{" + keys.joined(separator: ", ") + "}"
  }
}
