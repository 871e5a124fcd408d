/// What `require "json"` offers as pure functions.
package enum JSONLibrary {
  package static let functions: [LibraryFunction] = []
}
