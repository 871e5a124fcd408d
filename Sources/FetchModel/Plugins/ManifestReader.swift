package import FetchValues

/// The parser of the table of a plugin or hook file. The table comes from a worker and is not
/// trusted. All problems found in a table are reported together.
package struct ManifestReader {
  private(set) var problems: [ManifestProblem] = []

  init() {}

  package static let topKeys = [
    "api", "name", "version", "description", "author", "license", "homepage", "options",
    "permissions", "wake_on", "interval", "timeout", "items", "isolation", "functions",
  ]
  package static let functionNames = ["fetch", "on_transfer"]

  /// Returns the manifest of a plugin file, or the problems of its table. The worker lists the
  /// names of the table's functions under the key `functions`. If the table has no name, the
  /// problem suggests one that resembles `file`, the name of the file without its extension.
  package static func read(
    _ table: Value, file: String = ""
  ) -> Result<Manifest, ManifestProblems> {
    var reader = ManifestReader()
    guard let object = table.objectValue, !object.isEmpty else {
      let message = "the file must return a table; end it with: return { api = 1, name = …, … }"
      return .failure(ManifestProblems([ManifestProblem([], message)]))
    }
    let manifest = reader.manifest(object, file)
    return reader.problems.isEmpty
      ? .success(manifest) : .failure(ManifestProblems(reader.problems))
  }

  private mutating func manifest(_ object: ValueObject, _ file: String) -> Manifest {
    refuseUnknown(object, known: Self.topKeys + Self.functionNames, path: [])
    checkAPI(object["api"])
    var manifest = Manifest(
      name: PluginName(requiredText(object, "name", example: "\"\(Self.name(like: file))\"")),
      version: requiredText(object, "version", example: "\"1.0.0\""))
    checkName(manifest.name)
    manifest.summary = text(object, "description", path: [])
    for key in ["author", "license", "homepage"] { _ = text(object, key, path: []) }
    manifest.options = options(object["options"])
    manifest.permissions = permissions(object["permissions"], options: manifest.options)
    manifest.wakeOn = wakeOn(object, options: manifest.options)
    manifest.interval = interval(object["interval"])
    manifest.window = window(object["timeout"])
    manifest.items = items(object["items"])
    manifest.isolation = isolation(object["isolation"])
    manifest.functions = (object["functions"]?.arrayValue ?? []).compactMap(\.stringValue)
    checkFunctions(manifest.functions, of: object)
    return manifest
  }

  // MARK: Top level

  mutating func checkAPI(_ value: Value?) {
    guard let version = value?.integerValue else {
      return note(["api"], "must be the version of the plugin interface; write api = 1")
    }
    guard version == Manifest.apiVersion else {
      return note(
        ["api"], "this fetchrun supports plugin interface 1, but the file needs \(version)")
    }
  }

  private static let nameBytesMax = 64

  mutating func checkName(_ name: PluginName) {
    let bytes = name.text.utf8
    if !bytes.allSatisfy(Self.isNameByte) || bytes.count > Self.nameBytesMax {
      note(["name"], "must be up to 64 lower-case ASCII letters, digits, '-', '_' and '.'")
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Returns a valid plugin name that resembles the name of a file, which may be any text.
  private static func name(like file: String) -> String {
    let bytes = file.lowercased().utf8.prefix(nameBytesMax)
      .map { isNameByte($0) ? $0 : UInt8(ascii: "-") }
    return bytes.isEmpty ? "my-plugin" : String(decoding: bytes, as: UTF8.self)
  }

  private mutating func checkFunctions(_ functions: [String], of object: ValueObject) {
    // The worker leaves functions out of the table. A field `fetch` or `on_transfer` in the table
    // is therefore a value of another type.
    for name in Self.functionNames {
      guard let value = object[name] else { continue }
      let kind = value.kindName.withArticle
      note([name], "must be a function, not \(kind): \(name) = function(ctx) … end")
    }
    if !functions.contains("fetch"), object["fetch"] == nil {
      note(["fetch"], "is missing; write fetch = function(ctx) … end")
    }
    for name in functions where !Self.functionNames.contains(name) {
      note([name], "unknown function\(NearestName.hint(name, among: Self.functionNames))")
    }
  }

  mutating func window(_ value: Value?) -> Duration? {
    guard let value else { return nil }
    let limits = "must be at least 1ms and at most 1d"
    if let seconds = value.numberValue {
      guard seconds >= 0.001, seconds <= 86_400 else {
        note(["timeout"], limits)
        return nil
      }
      return .milliseconds(Int64(seconds * 1000))
    }
    guard let text = value.stringValue, let duration = try? Duration(parsing: text) else {
      note(["timeout"], "must be a duration such as \"30s\" or \"2m\"")
      return nil
    }
    guard duration > .zero, duration <= .seconds(86_400) else {
      note(["timeout"], limits)
      return nil
    }
    return duration
  }

  private mutating func interval(_ value: Value?) -> Interval? {
    guard let value else { return nil }
    guard let text = value.stringValue else {
      note(["interval"], "must be a string such as \"15m\", \"adaptive\" or \"never\"")
      return nil
    }
    do { return try Interval(parsing: text) } catch {
      note(["interval"], error.description)
      return nil
    }
  }

  mutating func isolation(_ value: Value?) -> Isolation {
    guard let value else { return .shared }
    guard let text = value.stringValue, let isolation = Isolation(rawValue: text) else {
      note(["isolation"], "must be \"shared\" or \"run\"")
      return .shared
    }
    return isolation
  }

  // MARK: Options

  package static let optionKeys = [
    "type", "required", "default", "choices", "description", "example",
  ]

  mutating func options(_ value: Value?) -> [OptionSpec] {
    guard let value else { return [] }
    guard let object = value.objectValue else {
      note(["options"], "must be a table of options: options = { url = { type = \"url\" } }")
      return []
    }
    // Lua tables are unordered, so options are always sorted by name.
    return object.sortedByKey.members.map { option($0.key, $0.value) }
  }

  private mutating func option(_ name: String, _ value: Value) -> OptionSpec {
    let path = ["options", name]
    var spec = OptionSpec(name: name)
    guard let object = value.objectValue else {
      note(path, "must be a table such as { type = \"string\" }")
      return spec
    }
    refuseUnknown(object, known: Self.optionKeys, path: path)
    if let type = object["type"] {
      let words = OptionKind.allCases.map(\.rawValue)
      if let word = type.stringValue, let kind = OptionKind(rawValue: word) {
        spec.kind = kind
      } else {
        let found = type.displayText ?? type.kindName
        let hint = NearestName.hint(found, among: words)
        note(
          path + ["type"], "unknown type '\(found)'\(hint); use " + words.joined(separator: ", "))
      }
    }
    spec.isRequired = flag(object, "required", path: path)
    spec.summary = text(object, "description", path: path)
    spec.choices = list(object, "choices", path: path)
    spec.defaultValue = object["default"]
    spec.example = object["example"]
    for choice in spec.choices + [spec.defaultValue, spec.example].compactMap(\.self) {
      if !spec.kind.accepts(choice) {
        note(
          path,
          "a default, choice or example must be \(spec.kind.rawValue.withArticle), "
            + "not \(choice.kindName.withArticle)")
      } else if let problem = spec.kind.problem(of: choice) {
        note(path, problem)
      }
    }
    return spec
  }

  // MARK: Permissions

  mutating func permissions(_ value: Value?, options: [OptionSpec]) -> PermissionRequest {
    var request = PermissionRequest()
    guard let value else { return request }
    guard let object = value.objectValue else {
      note(["permissions"], "must be a table: permissions = { http = { \"example.org\" } }")
      return request
    }
    refuseUnknown(object, known: PermissionKey.all.map(\.name), path: ["permissions"])
    for key in PermissionKey.all { key.read(&self, object, options, &request) }
    return request
  }

  mutating func checkHosts(_ entries: [String], _ options: [OptionSpec], path: [String]) {
    for entry in entries {
      if let option = PermissionResolution.optionName(in: entry) {
        checkOptionReference(option, options, path: path)
      } else if HostPattern(entry) == nil {
        note(
          path,
          "'\(entry)' is not a hostname; write a name such as example.org or *.example.org, or"
            + " {options.NAME}")
      }
    }
  }

  mutating func checkOptionReference(
    _ option: String, _ options: [OptionSpec], path: [String]
  ) {
    let names = options.map(\.name)
    if !names.contains(option) {
      let hint = NearestName.hint(option, among: names)
      note(path, "{options.\(option)} is not an option of this file\(hint)")
    }
  }

  private mutating func wakeOn(_ object: ValueObject, options: [OptionSpec]) -> String? {
    guard let entry = text(object, "wake_on", path: []) else { return nil }
    if let option = PermissionResolution.optionName(in: entry) {
      checkOptionReference(option, options, path: ["wake_on"])
    } else if (try? TargetURL(entry)) == nil {
      note(["wake_on"], "'\(entry)' is not an address; write https://… or {options.NAME}")
    }
    return entry
  }

  // MARK: Items

  package static let itemKeys = ["id", "ignore", "first_run", "complete"]

  private mutating func items(_ value: Value?) -> ItemRules {
    var rules = ItemRules()
    guard let value else { return rules }
    guard let object = value.objectValue else {
      note(["items"], "must be a table: items = { id = \"guid\" }")
      return rules
    }
    refuseUnknown(object, known: Self.itemKeys, path: ["items"])
    if let id = object["id"] {
      if let field = id.stringValue {
        rules.identity = .fields([field])
      } else {
        rules.identity = .fields(texts(object, "id", path: ["items"]))
      }
      refuseTags(rules.identity)
    }
    rules.ignore = texts(object, "ignore", path: ["items"])
    rules.complete = flag(object, "complete", path: ["items"])
    if let first = text(object, "first_run", path: ["items"]) {
      if let rule = FirstRunRule(first) {
        rules.firstRun = rule
      } else {
        note(["items", "first_run"], "must be \"all\", \"baseline\" or \"latest:N\"")
      }
    }
    return rules
  }

  /// Refuses `tags` as a part of the identity: tags are a list, which sources often change.
  private mutating func refuseTags(_ identity: ItemIdentity) {
    guard case .fields(let names) = identity, names.contains("tags") else { return }
    note(
      ["items", "id"], "tags cannot identify an item; name other fields, such as id = \"guid\"")
  }

  // MARK: Kinds

  mutating func note(_ path: [String], _ message: String) {
    problems.append(ManifestProblem(path, message))
  }

  mutating func refuseUnknown(_ object: ValueObject, known: [String], path: [String]) {
    for key in object.keys where !known.contains(key) {
      note(path + [key], "unknown key\(NearestName.hint(key, among: known))")
    }
  }

  private mutating func requiredText(
    _ object: ValueObject, _ key: String, example: String
  ) -> String {
    if object[key] == nil { note([key], "is missing; write \(key) = \(example)") }
    return text(object, key, path: []) ?? ""
  }

  mutating func text(_ object: ValueObject, _ key: String, path: [String]) -> String? {
    guard let value = object[key] else { return nil }
    if value.stringValue == nil {
      note(path + [key], "must be a string, not \(value.kindName.withArticle)")
    }
    return value.stringValue
  }

  mutating func flag(_ object: ValueObject, _ key: String, path: [String]) -> Bool {
    guard let value = object[key] else { return false }
    if value.boolValue == nil {
      note(path + [key], "must be true or false, not \(value.kindName.withArticle)")
    }
    return value.boolValue ?? false
  }

  private mutating func list(_ object: ValueObject, _ key: String, path: [String]) -> [Value] {
    guard let value = object[key] else { return [] }
    if value.arrayValue == nil {
      note(path + [key], "must be a list, not \(value.kindName.withArticle)")
    }
    return value.arrayValue ?? []
  }

  mutating func texts(_ object: ValueObject, _ key: String, path: [String]) -> [String] {
    list(object, key, path: path).compactMap { entry in
      if entry.stringValue == nil {
        note(path + [key], "must be a list of strings, but has \(entry.kindName.withArticle)")
      }
      return entry.stringValue
    }
  }
}
