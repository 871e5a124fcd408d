/// Which jobs a request is about.
package enum JobSelection: Hashable, Sendable {
  case all
  /// At least one.
  case named([String])
}
