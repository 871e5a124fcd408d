/// The modules for `require` that are written in Lua.
package enum PreludeRegistry {
  package static let all: [PreludeModule] = [.files, .html, .http, .json, .log, .time, .xml]
}
