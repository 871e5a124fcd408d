/// What `require "hash"` offers as pure functions.
package enum HashLibrary {
  package static let functions: [LibraryFunction] = []
}
