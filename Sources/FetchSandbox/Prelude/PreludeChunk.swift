/// Trusted Lua code that is not a module, such as the start of a run. The name of a chunk begins
/// with `fetchrun:`. The name of a plugin's file cannot begin in this way.
struct PreludeChunk: Sendable {
  let name: String
  let source: String

  init(_ name: String, _ source: String) {
    self.name = name
    self.source = source
  }
}
