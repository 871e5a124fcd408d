import FetchModel
import FetchValues

/// The annotation files of the interface for the Lua language server (LuaLS), which editors use.
/// Each module has one file, so that the server knows `require "http"`. The file `plugin.lua`
/// contains the classes of plugins and of hook files.
package enum InterfaceStubs {
  /// The path of the stubs, relative to the plugin folder.
  package static let folder = ".fetchrun/lua"
  /// The beginning of the first line of each stub file, by which fetchrun recognises its own files.
  package static let mark = "---@meta"

  package static let files: [(name: String, text: String)] =
    [("plugin.lua", plugin)]
    + PluginInterface.modules.map { ("\($0.name).lua", text(of: $0)) }

  /// The language server's settings for a folder with plugins.
  package static let settings = """
    {
      "$schema": "https://raw.githubusercontent.com/LuaLS/vscode-lua/master/setting/schema.json",
      "runtime.version": "Lua 5.4",
      "runtime.builtin": {
        "io": "disable", "os": "disable", "package": "disable", "debug": "disable"
      },
      "workspace.library": ["\(folder)"]
    }

    """

  private static var origin: String {
    "-- The plugin interface of fetchrun \(Product.version); `fetchrun new stubs` updates this file."
  }

  // MARK: Files

  private static let plugin: String = {
    var lines = ["\(mark) _", origin, ""]
    for item in PluginInterface.classes + HookInterface.classes {
      lines += InterfaceStubs.lines(of: item) + [""]
    }
    return lines.joined(separator: "\n")
  }()

  private static func text(of module: InterfaceModule) -> String {
    var lines = ["\(mark) \(module.name)", origin, "", "---@class fetchrun.\(module.name)"]
    for value in module.values { lines += value.names.map { annotation(of: value, $0) } }
    lines += ["local \(module.name) = {}", ""]
    for functions in overloads(module.functions) {
      lines += self.lines(of: functions, in: module.name + ".") + [""]
    }
    return (lines + ["return \(module.name)", ""]).joined(separator: "\n")
  }

  // MARK: Classes

  private static func lines(of item: InterfaceClass) -> [String] {
    var lines = ["---@class \(item.name)"]
    for field in item.fields { lines += field.names.map { annotation(of: field, $0) } }
    for method in item.methods {
      let parameters = ["self"] + method.parameters.map { "\(label($0)): \($0.type)" }
      let results = method.results.map(type).joined(separator: ", ")
      let signature =
        "fun(\(parameters.joined(separator: ", ")))" + (results.isEmpty ? "" : ": \(results)")
      lines += method.names.map { "---@field \($0) \(signature) \(method.summary)" }
    }
    lines += item.operators.map { "---@operator \($0)" }
    if item.isOpen { lines.append("---@field [string] any") }
    return lines
  }

  private static func annotation(of field: InterfaceField, _ name: String) -> String {
    "---@field \(name)\(field.isOptional ? "?" : "") \(field.type) \(field.summary)"
  }

  // MARK: Functions

  /// Returns the functions grouped by name. In the stubs, the first entry of a group becomes the
  /// function, and the other entries become its overloads.
  private static func overloads(
    _ functions: [InterfaceFunction]
  ) -> [(name: String, entries: [InterfaceFunction])] {
    var grouped: [(name: String, entries: [InterfaceFunction])] = []
    for function in functions {
      for name in function.names {
        if let index = grouped.firstIndex(where: { $0.name == name }) {
          grouped[index].entries.append(function)
        } else {
          grouped.append((name, [function]))
        }
      }
    }
    return grouped
  }

  private static func lines(
    of function: (name: String, entries: [InterfaceFunction]), in prefix: String
  ) -> [String] {
    guard let first = function.entries.first else { return [] }
    var lines = function.entries.map { "---" + $0.summary }
    if let example = first.example { lines.append("---Example: " + example) }
    for entry in function.entries.dropFirst() {
      let parameters = entry.parameters.map { "\(label($0)): \($0.type)" }
      let results = entry.results.map(type).joined(separator: ", ")
      lines.append(
        "---@overload fun(\(parameters.joined(separator: ", ")))"
          + (results.isEmpty ? "" : ": \(results)"))
    }
    lines += first.parameters.map { "---@param \(label($0)) \($0.type)" }
    lines += first.results.map { "---@return \($0)" }
    let names = first.parameters.map(\.name).joined(separator: ", ")
    return lines + ["function \(prefix)\(function.name)(\(names)) end"]
  }

  private static func label(_ parameter: InterfaceParameter) -> String {
    parameter.name + (parameter.isOptional ? "?" : "")
  }

  /// Returns the type of a result without the result's name: `string?` for `string? message`.
  private static func type(_ result: String) -> String {
    let end = result.lastIndex(of: " ") ?? result.endIndex
    return String(result[..<end])
  }
}
