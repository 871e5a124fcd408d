/// Trusted Lua code that is not a module, such as the start of a run. Its name begins with
/// `fetchrun:`, which no plugin file's name can.
struct PreludeChunk: Sendable {
  let name: String
  let source: String

  init(_ name: String, _ source: String) {
    self.name = name
    self.source = source
  }
}
