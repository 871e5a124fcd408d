/// A trusted module in Lua that `require` finds by name: the surface of a pure library, or what
/// wraps host calls. It returns what `require` returns. Modules without one get a plain table of
/// their library functions.
///
/// The source is a chunk that sees the privileged table `fetchrun` (CLua.h) as a global, and is
/// called at the first `require` of a run with two arguments:
///
///     local library, require = ...
///
/// `library` has the module's own library functions by their short names (`library.parse` for
/// `feed.parse`), those that begin with an underscore too; `require` finds the other modules.
package struct PreludeModule: Sendable {
  package let name: String
  package let source: String

  package init(_ name: String, _ source: String) {
    self.name = name
    self.source = source
  }
}
