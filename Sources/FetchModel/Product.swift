/// The program's name and version.
package enum Product {
  package static let version = "0.1.0"
  /// The default user agent of a polite client: name, version, and where to complain.
  package static let userAgent = "fetchrun/\(version) (+https://github.com/fetchrun/fetchrun)"
}
