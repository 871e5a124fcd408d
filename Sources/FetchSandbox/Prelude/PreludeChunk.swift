/// Trusted Lua code that is not a module: what begins a run. Names begin with `fetchrun:`, so that
/// no plugin file has the same.
struct PreludeChunk: Sendable {
  let name: String
  let source: String

  init(_ name: String, _ source: String) {
    self.name = name
    self.source = source
  }
}
