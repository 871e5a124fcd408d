import FetchModel
import FetchValues
import LuaVM

/// The plugin of this worker, compiled.
struct LoadedPlugin {
  /// The name of the plugin's own chunk.
  let name: String
  /// What its runs know: the trusted chunks, the plugin, its libraries.
  let chunks: LuaChunks
  private let trusted: [LuaChunk]
  private let own: [LuaChunk]
  /// Encoded table: module name to chunk name, for `require`.
  let libraryNames: [UInt8]
  /// For the messages of its errors.
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

  /// The same and one more trusted chunk.
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
