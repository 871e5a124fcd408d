/// The modules that are written in Lua. `files`, `http` and `log` use host calls or notices; the
/// other modules use a pure library.
package enum PreludeRegistry {
  package static let all: [PreludeModule] = [.files, .html, .http, .json, .log, .time, .xml]
}
