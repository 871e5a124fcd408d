import FetchModel
import FetchValues
import LuaVM

/// The compiled plugin of this worker.
struct LoadedPlugin {
  /// The name of the plugin's own chunk.
  let name: String
  /// The chunks that the plugin's runs load: the trusted chunks, the plugin and its libraries.
  let chunks: LuaChunks
  private let trusted: [LuaChunk]
  private let own: [LuaChunk]
  /// An encoded table for `require`. Its keys are the names of modules, and its values are the
  /// names of their chunks.
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
    self.trusted = trusted.all
    own = [chunk] + libraries
    chunks = LuaChunks(trusted: self.trusted, own: own)
    libraryNames = Value.object(names).encoded
  }

  /// Returns the plugin's chunks with one more trusted chunk.
  func chunks(adding chunk: LuaChunk) -> LuaChunks {
    LuaChunks(trusted: trusted + [chunk], own: own)
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
