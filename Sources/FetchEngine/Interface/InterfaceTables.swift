/// The tables of the pages for authors of plugins and of hook files, in Markdown.
package enum InterfaceTables {
  /// The tables of the page PluginInterface, each with its heading.
  package static let all = PluginInterface.sections.flatMap { section in
    let tables =
      (section.modules.isEmpty ? [] : [table(section.modules)]) + section.classes.map(table)
    return tables.map { (title: section.title, table: $0) }
  }

  /// The tables of the page HookInterface, each with its heading.
  package static let hooks: [(title: String, table: String)] = [
    ("Functions", table(HookInterface.functions)),
    ("Arguments", table(HookInterface.run)),
    ("Arguments", table(HookInterface.change)),
    ("Arguments", table(HookInterface.failure)),
    ("Arguments", table(HookInterface.context)),
    ("Keys", table(HookInterface.keys)),
  ]

  /// Returns a table of the functions that the host calls.
  private static func table(_ functions: [InterfaceFunction]) -> String {
    lines(
      ["function", "when", "returns"],
      functions.map { [shown($0, prefix: ""), $0.summary, $0.returned ?? ""] })
  }

  /// Returns a table of the functions that plugins call, and of the other values of the modules.
  /// The table has a column for examples if any function has an example.
  private static func table(_ modules: [InterfaceModule]) -> String {
    let hasExamples = modules.contains { $0.functions.contains { $0.example != nil } }
    var rows: [[String]] = []
    for module in modules {
      for function in module.functions {
        let cells = [shown(function, prefix: module.name + "."), function.summary]
        rows.append(hasExamples ? cells + [function.example ?? ""] : cells)
      }
      for value in module.values {
        let names = value.names.map { "`\(module.name).\($0)`" }.joined(separator: ", ")
        rows.append(hasExamples ? [names, value.summary, ""] : [names, value.summary])
      }
    }
    return lines(hasExamples ? ["function", "result", "example"] : ["function", "what"], rows)
  }

  private static func table(_ item: InterfaceClass) -> String {
    let prefix = item.prefix
    var rows = item.fields.map { field in
      let names = field.names.map { "`\(prefix)\($0)`" }.joined(separator: ", ")
      return [names] + (field.kind.map { [$0] } ?? []) + [field.summary]
    }
    for method in item.methods {
      rows.append([shown(method, prefix: (item.value ?? "") + ":"), method.summary])
    }
    if item.isOpen { rows.append(["any other", "any value that JSON can hold"]) }
    return lines(item.headings, rows)
  }

  private static func shown(_ function: InterfaceFunction, prefix: String) -> String {
    function.names.enumerated().map { index, name in
      index == 0 ? "`\(prefix)\(name)\(function.shownParameters)`" : "`\(prefix)\(name)`"
    }.joined(separator: ", ")
  }

  private static func lines(_ headings: [String], _ rows: [[String]]) -> String {
    let rule = headings.map { _ in "---" }.joined(separator: "|")
    return
      (["| \(headings.joined(separator: " | ")) |", "|\(rule)|"]
      + rows.map { "| \($0.joined(separator: " | ")) |".replacing(" |  |", with: " | |") })
      .joined(separator: "\n")
  }
}

extension InterfaceClass {
  /// The text before a field's name on the page. It is empty for the fields of a response, and for
  /// a class without a `value`.
  fileprivate var prefix: String {
    guard let value, value != "response" else { return "" }
    return value + "."
  }
}
