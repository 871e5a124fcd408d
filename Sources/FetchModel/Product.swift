/// The program's version and user agent.
package enum Product {
  package static let version = "0.1.0"
  /// The program's user agent: the name, the version, and the address of the project, where server
  /// operators can complain.
  package static let userAgent = "fetchrun/\(version) (+https://github.com/fetchrun/fetchrun)"
}
