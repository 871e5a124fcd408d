/// A function that a plugin may call.
package struct InterfaceFunction {
  /// Several where they differ in nothing but the name.
  package var names: [String]
  /// In LuaLS's way of writing them, see `InterfaceParameter`.
  package var parameters: [InterfaceParameter]
  /// What it returns, each as LuaLS has it: `string? message`.
  package var results: [String]
  /// What it does or gives, for the page.
  package var summary: String
  /// What is made of what it returns, for the page; nil where its table has no such column.
  package var returned: String?
  /// Lua to copy; nil where none is needed.
  package var example: String?

  init(
    _ names: String..., parameters: String = "", results: String..., summary: String,
    returned: String? = nil, example: String? = nil
  ) {
    self.names = names
    self.parameters = InterfaceParameter.list(parameters)
    self.results = results
    self.summary = summary
    self.returned = returned
    self.example = example
  }

  /// `(text [, {raw=}])`
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
