/// A trusted Lua module that `require` finds by name: the surface of a pure library or of host
/// calls. It returns the result of `require`. A library without such a module is a plain table of
/// its functions.
///
/// The source is a chunk that sees the privileged table `fetchrun` (CLua.h) as a global. The first
/// `require` of a run calls it with two arguments:
///
///     local library, require = ...
///
/// `library` has the module's own library functions by their short names (`library.parse` for
/// `feed.parse`), including those that begin with an underscore; `require` finds other modules.
package struct PreludeModule: Sendable {
  package let name: String
  package let source: String

  package init(_ name: String, _ source: String) {
    self.name = name
    self.source = source
  }
}
