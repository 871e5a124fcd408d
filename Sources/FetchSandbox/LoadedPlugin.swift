import FetchModel
import LuaVM

/// The plugin of this worker, compiled.
struct LoadedPlugin {
  let chunk: LuaChunk
  let libraries: [LuaChunk]
  /// Encoded table: module name to chunk name, for `require`.
  let libraryNames: [UInt8]

  init(_ source: PluginSource) throws(Failure) {
    chunk = try Self.compile(source.fileName, source.text)
    var names = ValueObject()
    var libraries: [LuaChunk] = []
    for library in source.libraries {
      libraries.append(try Self.compile(library.fileName, library.text))
      names.append(library.name, .string(library.fileName))
    }
    self.libraries = libraries
    libraryNames = Value.object(names).encoded
  }

  private static func compile(_ file: String, _ text: [UInt8]) throws(Failure) -> LuaChunk {
    guard text.count <= RunLimits.sourceBytesMax else {
      let size = RunLimits.sourceBytesMax >> 20
      throw Failure(.invalidPlugin, "the file is larger than \(size) MiB", file: file)
    }
    do { return try LuaChunk.compile(name: file, source: text) } catch {
      var failure = LuaFailure(error.failure).failure(as: .invalidPlugin)
      failure.file = failure.file ?? file
      throw failure
    }
  }
}
