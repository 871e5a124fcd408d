/// A trusted Lua module that `require` finds by name. Plugins can use the functions in the table
/// that the module returns.
///
/// The source is a chunk that has the privileged table `fetchrun` (CLua.h) as a global. The first
/// `require` of the module in a run calls the chunk with two arguments:
///
///     local library, require = ...
///
/// `library` contains the module's library functions by their short names (`library.parse` for
/// `feed.parse`), including those that begin with an underscore. It is nil if the module has no
/// library functions. `require` finds other modules.
package struct PreludeModule: Sendable {
  package let name: String
  package let source: String

  package init(_ name: String, _ source: String) {
    self.name = name
    self.source = source
  }
}

/// A chunk of trusted Lua code, such as the main chunk of a run or the code of a module. The name
/// of a chunk begins with `fetchrun:`.
struct PreludeChunk: Sendable {
  let name: String
  let source: String

  init(_ name: String, _ source: String) {
    self.name = name
    self.source = source
  }
}

/// The modules for `require` that are written in Lua.
package enum PreludeRegistry {
  package static let all: [PreludeModule] = [.files, .html, .http, .json, .log, .time, .xml]
}
