/// Every module written in Lua. `files`, `http`, `log` and the like wrap host calls; the others
/// wrap a pure library.
package enum PreludeRegistry {
  package static let all: [PreludeModule] = [.files, .html, .http, .json, .log, .time, .xml]
}
