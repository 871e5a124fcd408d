/// What `require "html"` offers as pure functions.
package enum HTMLLibrary {
  package static let functions: [LibraryFunction] = []
}
