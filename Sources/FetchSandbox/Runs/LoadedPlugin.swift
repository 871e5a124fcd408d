import FetchModel
import FetchValues
import LuaVM

/// The compiled plugin of this worker.
struct LoadedPlugin {
  /// The name of the chunk of the plugin's file.
  let name: String
  /// The chunks that the plugin's runs load: the trusted chunks, the plugin and its libraries.
  let chunks: LuaChunks
  /// An encoded table for `require`. Its keys are the names of the plugin's modules, and its values
  /// are the names of their chunks.
  let libraryNames: [UInt8]
  /// The source texts, for error messages.
  let texts: PluginTexts

  init(_ source: PluginSource, _ trusted: TrustedChunks) throws(Failure) {
    let chunk = try Self.compile(source.fileName, source.text)
    var names = ValueObject()
    var libraries: [LuaChunk] = []
    for library in source.libraries {
      libraries.append(try Self.compile(library.fileName, library.text))
      names.append(library.name, .string(library.fileName))
    }
    name = chunk.name
    texts = PluginTexts(source)
    chunks = LuaChunks(trusted: trusted.all, own: [chunk] + libraries)
    libraryNames = Value.object(names).encoded
  }

  private static func compile(_ file: String, _ text: [UInt8]) throws(Failure) -> LuaChunk {
    guard text.count <= RunLimits.sourceBytesMax else {
      let size = RunLimits.sourceBytesMax >> 20
      throw Failure(.invalidPlugin, "the file is larger than \(size) MiB", file: file)
    }
    do { return try LuaChunk.compile(name: file, source: text) } catch {
      var failure = PluginTexts.explained(LuaFailure(error.failure), text: text)
        .failure(as: .invalidPlugin)
      failure.file = failure.file ?? file
      throw failure
    }
  }
}

/// The trusted Lua code of a worker: the chunks that plugins and hooks need, the tables of library
/// functions, and the modules for `require`.
struct TrustedChunks {
  let all: [LuaChunk]

  /// Returns nil if there is no memory.
  init?() {
    let sources = Self.sources
    all = sources.compactMap { LuaChunk.deferred(name: $0.name, source: $0.source) }
    if all.count < sources.count { return nil }
  }

  static var sources: [PreludeChunk] {
    let starters = [
      .main, .require, .context, .inspect, .httpOptions, .httpJSON, .secrets, .hook, mistakesChunk,
    ]
    return starters + libraryChunks + moduleChunks
  }

  /// The names of the built-in modules, in sorted order and separated by commas.
  private static var moduleNames: String {
    let written = PreludeRegistry.all.map(\.name)
    var names = written + functionsByModule.map(\.module).filter { !written.contains($0) }
    names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return names.commaSeparated
  }

  private static var mistakesChunk: PreludeChunk {
    .mistakes(moduleNames: moduleNames)
  }

  private static var moduleChunks: [PreludeChunk] {
    PreludeRegistry.all.map { PreludeChunk("fetchrun:module/\($0.name)", $0.source) }
  }

  /// The chunks that return the modules' tables of library functions. A module without Lua code
  /// gives its table to plugins, so this table leaves out the functions whose names begin with an
  /// underscore.
  private static var libraryChunks: [PreludeChunk] {
    let wrapped = PreludeRegistry.all.map(\.name)
    return functionsByModule.map { module, functions in
      let entries =
        functions
        .filter { wrapped.contains(module) || !$0.name.hasPrefix("_") }
        .map { "[\"\($0.name)\"] = f(\($0.number))" }
      return PreludeChunk(
        "fetchrun:library/\(module)",
        "local f = fetchrun.library return { \(entries.commaSeparated) }")
    }
  }

  private typealias Function = (name: Substring, number: Int)

  private static let functionsByModule: [(module: String, functions: [Function])] = {
    var modules: [(module: String, functions: [Function])] = []
    for (number, function) in LibraryRegistry.all.enumerated() {
      let bytes = function.name.utf8
      guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")) else { continue }
      let entry = (name: function.name[bytes.index(after: dot)...], number: number)
      let module = String(function.name[..<dot])
      if let index = modules.firstIndex(where: { $0.module == module }) {
        modules[index].functions.append(entry)
      } else {
        modules.append((module, [entry]))
      }
    }
    return modules
  }()
}

extension [String] {
  /// The texts, separated by commas. (`joined` looks up types when it is first called, which each
  /// worker would do at its start.)
  fileprivate var commaSeparated: String {
    var text = ""
    for element in self { text += text.isEmpty ? element : ", " + element }
    return text
  }
}
