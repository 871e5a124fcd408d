/// What `require "url"` offers as pure functions.
package enum URLLibrary {
  package static let functions: [LibraryFunction] = []
}
