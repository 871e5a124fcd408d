/// What `require "xml"` offers as pure functions.
package enum XMLTreeLibrary {
  package static let functions: [LibraryFunction] = []
}
