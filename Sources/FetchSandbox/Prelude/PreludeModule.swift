/// A trusted module in Lua that `require` finds by name: the surface of a pure library, or what
/// wraps host calls. It sees the privileged table `fetchrun` (CLua.h) and returns what `require`
/// returns. Modules without one get a plain table of their library functions.
package struct PreludeModule: Sendable {
  package let name: String
  package let source: String

  package init(_ name: String, _ source: String) {
    self.name = name
    self.source = source
  }
}
