/// What `require "base64"` offers as pure functions.
package enum Base64Library {
  package static let functions: [LibraryFunction] = []
}
