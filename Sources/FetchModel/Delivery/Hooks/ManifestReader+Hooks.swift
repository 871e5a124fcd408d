package import FetchValues

/// The reader of hook files. The Lua table that a hook file returns has hook functions instead of
/// `fetch`. All its other fields are optional.
extension ManifestReader {
  package static let hookKeys = [
    "api", "name", "version", "description", "author", "license", "homepage", "options",
    "permissions", "timeout", "isolation", "functions",
  ]

  /// Reads a hook file's manifest, or returns every problem in it. `name` is used for a manifest
  /// without a name.
  package static func readHook(
    _ table: Value, named name: String
  ) -> Result<Manifest, ManifestProblems> {
    var reader = ManifestReader()
    guard let object = table.objectValue, !object.isEmpty else {
      let message = "the file must return a table of functions; end it with: return { on_item = … }"
      return .failure(ManifestProblems([ManifestProblem([], message)]))
    }
    let manifest = reader.hook(object, name)
    return reader.problems.isEmpty
      ? .success(manifest) : .failure(ManifestProblems(reader.problems))
  }

  /// Whether a file's table probably describes a hook. Such a table has no `fetch`, but has a
  /// function with the name of a hook function or with a similar name.
  package static func isHook(_ table: Value) -> Bool {
    let names = functionNames(of: table)
    return !names.contains("fetch")
      && names.contains { NearestName.of($0, among: HookFunction.names) != nil }
  }

  private static func functionNames(of table: Value) -> [String] {
    (table["functions"]?.arrayValue ?? []).compactMap(\.stringValue)
  }

  private mutating func hook(_ object: ValueObject, _ name: String) -> Manifest {
    refuseUnknown(object, known: Self.hookKeys, path: [])
    if object["api"] != nil { checkAPI(object["api"]) }
    var manifest = Manifest(
      name: PluginName(text(object, "name", path: []) ?? name),
      version: text(object, "version", path: []) ?? "")
    if object["name"] != nil { checkName(manifest.name) }
    manifest.summary = text(object, "description", path: [])
    for key in ["author", "license", "homepage"] { _ = text(object, key, path: []) }
    manifest.options = options(object["options"])
    manifest.permissions = permissions(object["permissions"], options: manifest.options)
    manifest.window = window(object["timeout"]) ?? HookFunction.usualWindow
    manifest.isolation = isolation(object["isolation"])
    manifest.functions = Self.functionNames(of: .object(object))
    checkHookFunctions(manifest.functions)
    return manifest
  }

  private mutating func checkHookFunctions(_ functions: [String]) {
    let there = HookFunction.names.joined(separator: ", ")
    if functions.isEmpty {
      note([], "the hook file has no function; add one of \(there)")
    }
    for name in functions where !HookFunction.names.contains(name) {
      if name == "fetch" {
        note([name], "a hook file cannot have the function fetch: write it in a plugin file")
      } else {
        let hint = NearestName.hint(name, among: HookFunction.names)
        note([name], "unknown function\(hint); a hook file may have \(there)")
      }
    }
  }
}
