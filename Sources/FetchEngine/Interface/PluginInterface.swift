/// The complete plugin interface, defined in one place. The tables of the page for plugin authors
/// and the stubs for editors are generated from this type. A test compares it with the sandbox.
package enum PluginInterface {
  /// The sections in the order of the page. Each extension of this type lists its own sections.
  static let sections: [InterfaceSection] =
    manifestSections + contextSections + httpSections + documentSections + valueSections
    + textSections + fileSections

  package static let modules: [InterfaceModule] = sections.flatMap(\.modules)

  static let moduleNames = Set(modules.map(\.name))

  package static let classes: [InterfaceClass] = sections.flatMap { $0.classes + $0.stubClasses }

  /// The names of the Lua globals that the sandbox provides.
  package static let globals = [
    "assert", "error", "pcall", "xpcall", "select", "type", "tostring", "tonumber", "ipairs",
    "pairs", "next", "rawequal", "rawget", "rawlen", "rawset", "getmetatable", "setmetatable",
    "load", "collectgarbage", "require", "_VERSION", "string", "table", "math", "utf8",
    "coroutine",
  ]

  /// The names that authors may expect as globals although the sandbox lacks them, with advice for
  /// each name.
  package static let absentGlobals = [
    "bit32": "use the operators & | ~ << >>",
    "console": "use require \"log\"",
    "ctx": "it is a parameter, as in fetch = function(ctx)",
    "debug": "plugins have no debug library",
    "dofile": "use require to load a module",
    "False": "write false",
    "getfenv": "it is not part of Lua 5.4",
    "int": "use tonumber",
    "io": "there is no io library; plugins can use require \"files\"",
    "len": "write # before the name of the list: #items",
    "loadfile": "use require to load a module",
    "loadstring": "use load",
    "module": "return a table at the end of the file",
    "None": "write nil",
    "null": "write nil, or json.null for the null of JSON",
    "os": "plugins have no os; use require \"time\" for dates and times",
    "package": "plugins have no package; require finds modules by name",
    "print": "use require \"log\"",
    "range": "write `for i = 1, 10 do`",
    "setfenv": "it is not part of Lua 5.4",
    "str": "use tostring",
    "True": "write true",
    "undefined": "write nil",
    "unpack": "use table.unpack",
    "warn": "use require \"log\"",
  ]

  /// Returns the field names of the class with the given `InterfaceClass.name`, such as
  /// `fetchrun.Plugin` or `fetchrun.Option`; empty if there is no such class.
  package static func keys(of name: String) -> [String] {
    classes.first { $0.name == name }?.fields.flatMap(\.names) ?? []
  }

  /// The names of the interface with their prefixes, such as `json.decode`, `ctx:emit` and
  /// `node:text`. The names of a class without a `value` are left out.
  package static let names: Set<String> = {
    var names: Set<String> = []
    for module in modules {
      for name in module.functions.flatMap(\.names) { names.insert("\(module.name).\(name)") }
      for name in module.values.flatMap(\.names) { names.insert("\(module.name).\(name)") }
    }
    for item in classes {
      guard let value = item.value else { continue }
      for name in item.fields.flatMap(\.names) { names.insert("\(value).\(name)") }
      for name in item.methods.flatMap(\.names) { names.insert("\(value):\(name)") }
    }
    return names
  }()
}
