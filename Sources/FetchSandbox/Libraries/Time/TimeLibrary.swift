/// What `require "time"` offers as pure functions.
package enum TimeLibrary {
  package static let functions: [LibraryFunction] = []
}
