/// What `require "text"` offers as pure functions.
package enum TextLibrary {
  package static let functions: [LibraryFunction] = []
}
