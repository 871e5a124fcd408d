/// What `require "csv"` offers as pure functions.
package enum CSVLibrary {
  package static let functions: [LibraryFunction] = []
}
