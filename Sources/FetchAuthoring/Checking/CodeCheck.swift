package import FetchEngine
import FetchModel
import FetchValues

/// The check of the code of a plugin or a hook file. The check does not run the code.
///
/// The check finds errors that a run reports when it reaches the code. Examples are wrong names of
/// globals, options, or members of modules or `ctx`. Errors that depend on values known only at run
/// time appear only in a run. The check also warns of probable mistakes, such as a response that is
/// not used.
package enum CodeCheck {
  package static func problems(in plugin: Plugin) -> [PluginProblem] {
    var files = [(path: plugin.path, names: LuaNames(LuaLexer.tokens(of: plugin.source.text)))]
    for library in plugin.source.libraries {
      files.append((library.fileName, LuaNames(LuaLexer.tokens(of: library.text))))
    }
    let assigned = Set(files.flatMap(\.names.assigned))
    var problems: [PluginProblem] = []
    for (path, names) in files {
      var found = undefined(names, assigned) + strangeMembers(names) + wrongCalls(names)
      var warnings = numbersForDates(names) + unusedResponses(names)
      if path == plugin.path { warnings += refusedRequests(names, plugin.manifest) }
      if path == plugin.path, isPlugin(plugin) {
        found += contextProblems(names, plugin.manifest) + wrongResults(names)
        warnings += withoutResult(names, libraries: files.dropFirst().map(\.names))
        warnings += wrongFields(names)
      }
      problems += (found.map { ($0, false) } + warnings.map { ($0, true) })
        .sorted { $0.0.line < $1.0.line }
        .map {
          PluginProblem(file: path, line: $0.0.line, message: $0.0.message, isWarning: $0.1)
        }
    }
    return problems
  }

  typealias Finding = (line: Int, message: String)

  private static func isPlugin(_ plugin: Plugin) -> Bool {
    plugin.manifest.functions.contains(entries[0])
  }

  // MARK: Globals

  /// The names that allow code to define globals at run time. Globals are not checked in a file
  /// that uses one of these names.
  private static let dynamic = ["_ENV", "_G", "load"]

  private static func undefined(_ names: LuaNames, _ assigned: Set<String>) -> [Finding] {
    let used = names.used.map { names.tokens[$0] }
    if used.contains(where: { dynamic.contains($0.text) }) { return [] }
    var reported: Set<String> = assigned.union(PluginInterface.globals)
    return used.compactMap { token in
      guard names.declared[token.text] == nil, reported.insert(token.text).inserted else {
        return nil
      }
      return (token.line, "undefined global '\(token.text)'" + hint(token.text, names))
    }
  }

  private static func hint(_ name: String, _ names: LuaNames) -> String {
    if let hint = PluginInterface.absentGlobals[name] { return ": " + hint }
    if PluginInterface.modules.contains(where: { $0.name == name }) {
      return ": write local \(name) = require \"\(name)\""
    }
    // A name of one letter gets no suggestion, because all names of one letter would count as
    // similar.
    if name.utf8.count == 1 { return "" }
    let known = PluginInterface.globals + names.declared.keys.sorted()
    let meant = NearestName.of(name, among: known) ?? LuaLexer.keyword(meantBy: name)
    return meant.map { ": did you mean '\($0)'?" } ?? ""
  }

  // MARK: Modules

  private static func strangeMembers(_ names: LuaNames) -> [Finding] {
    names.used.compactMap { place in
      guard let member = names.member(of: place) else { return nil }
      let (name, token) = (names.tokens[place].text, names.tokens[member])
      if let module = names.modules[name] {
        guard let known = PluginInterface.modules.first(where: { $0.name == module })?.memberNames,
          !known.contains(token.text)
        else { return nil }
        return (
          token.line, "\(module) has no '\(token.text)'; it has \(known.joined(separator: ", "))"
        )
      }
      return classProblem(names, place, member)
    }
  }

  /// Checks a member of a local variable that holds the result of a module's function, such as a
  /// response or a node.
  private static func classProblem(_ names: LuaNames, _ place: Int, _ member: Int) -> Finding? {
    let (name, token) = (names.tokens[place].text, names.tokens[member])
    guard let call = names.results[name],
      let type = PluginInterface.modules.first(where: { $0.name == call.module })?
        .functions.first(where: { $0.names.contains(call.function) })?.results.first?
        .prefix(while: { $0 != "?" && $0 != " " }),
      let found = PluginInterface.classes.first(where: { $0.name == type }), !found.isOpen,
      let value = found.value
    else { return nil }
    let known = found.memberNames
    guard known.contains(token.text) else {
      let isSet = member + 1 < names.tokens.count && names.tokens[member + 1].isWord("=")
      if isSet || names.setMembers.contains(token.text) { return nil }
      let kind = names.tokens[place + 1].isWord(":") ? "method" : "field"
      return (
        token.line,
        "\(name) is a \(value) and has no \(kind) '\(token.text)'"
          + "\(NearestName.hint(token.text, among: known)); it has \(known.joined(separator: ", "))"
      )
    }
    let isMethod = found.methods.contains { $0.names.contains(token.text) }
    guard isMethod, names.tokens[place + 1].isWord("."), member + 2 < names.tokens.count,
      names.tokens[member + 1].isWord("("), names.tokens[member + 2].text != name
    else { return nil }
    return (token.line, "call \(token.text) with a colon: \(name):\(token.text)(…)")
  }

  // MARK: ctx

  private static func contextProblems(_ names: LuaNames, _ manifest: Manifest) -> [Finding] {
    entries.flatMap { functions($0, of: names) }.flatMap { function -> [Finding] in
      guard let context = function.parameters.first else { return [] }
      let others = names.functions.filter { $0.parameters.contains(context) }
      // If the name of the parameter is also declared in another way, or is assigned, the name may
      // refer to another variable.
      guard names.declared[context] == others.count, !names.assigned.contains(context) else {
        return []
      }
      let nested = others.map(\.body).filter { $0 != function.body && function.body.overlaps($0) }
      return names.used.compactMap { place in
        guard function.body.contains(place), !nested.contains(where: { $0.contains(place) }),
          names.tokens[place].text == context, let member = names.member(of: place)
        else { return nil }
        return contextProblem(names, member, manifest)
      }
    }
  }

  private static func contextProblem(
    _ names: LuaNames, _ place: Int, _ manifest: Manifest
  ) -> Finding? {
    let token = names.tokens[place]
    let known = PluginInterface.context.memberNames
    guard known.contains(token.text) else {
      let isSet = place + 1 < names.tokens.count && names.tokens[place + 1].isWord("=")
      let verb = isSet ? " (keep values in ctx.state)" : ""
      let list = known.joined(separator: ", ")
      return (token.line, "ctx has no field '\(token.text)'\(verb); it has \(list)")
    }
    if token.text == "emit" { return emitProblem(names, place) }
    if token.text == "secret" { return secretProblem(names, place, manifest) }
    guard token.text == "options", let member = names.member(of: place) else { return nil }
    let option = names.tokens[member]
    let options = manifest.options.map(\.name)
    if options.contains(option.text) { return nil }
    let declared =
      options.isEmpty
      ? "the manifest declares none" : "the manifest declares \(options.joined(separator: ", "))"
    return (
      option.line,
      "unknown option '\(option.text)'\(NearestName.hint(option.text, among: options)); \(declared)"
    )
  }
}

extension InterfaceModule {
  fileprivate var memberNames: [String] {
    Set(functions.flatMap(\.names) + values.flatMap(\.names)).sorted()
  }
}

extension InterfaceClass {
  fileprivate var memberNames: [String] {
    Set(fields.flatMap(\.names) + methods.flatMap(\.names)).sorted()
  }
}
