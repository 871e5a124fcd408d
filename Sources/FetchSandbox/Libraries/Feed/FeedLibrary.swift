/// What `require "feed"` offers as pure functions.
package enum FeedLibrary {
  package static let functions: [LibraryFunction] = []
}
