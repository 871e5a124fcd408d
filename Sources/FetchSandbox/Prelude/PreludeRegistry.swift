/// Every module that is written in Lua. `files`, `http`, `log` and the like wrap host calls; the
/// others give a pure library its surface.
package enum PreludeRegistry {
  package static let all: [PreludeModule] = [.files, .html, .http, .json, .log, .time, .xml]
}
