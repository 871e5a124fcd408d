/// A function that a plugin may call.
package struct InterfaceFunction {
  /// The names of the function. There are several if functions differ only in their names.
  package var names: [String]
  /// The parameters in LuaLS's notation: see `InterfaceParameter`.
  package var parameters: [InterfaceParameter]
  /// The results in LuaLS's notation, such as `string? message`.
  package var results: [String]
  /// The description for the page.
  package var summary: String
  /// The description of the results, for the page; nil if the table on the page has no such column.
  package var returned: String?
  /// An example in Lua; nil if none is needed.
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
