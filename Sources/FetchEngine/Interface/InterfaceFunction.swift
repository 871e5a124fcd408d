/// A function that a plugin may call.
struct InterfaceFunction {
  /// Several where they differ in nothing but the name.
  var names: [String]
  /// In LuaLS's way of writing them, see `InterfaceParameter`.
  var parameters: [InterfaceParameter]
  /// What it returns, each as LuaLS has it: `string? message`.
  var results: [String]
  /// What it does or gives, for the page.
  var summary: String
  /// What is made of what it returns, for the page; nil where its table has no such column.
  var returned: String?
  /// Lua to copy; nil where none is needed.
  var example: String?

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
  var shownParameters: String {
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
