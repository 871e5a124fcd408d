/// What this program calls itself.
package enum Product {
  package static let version = "0.1.0"
  /// The honest default of a polite client: name, version, and where to complain.
  package static let userAgent = "fetchrun/\(version) (+https://github.com/fetchrun/fetchrun)"
}
