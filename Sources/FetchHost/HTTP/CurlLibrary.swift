import CHost

/// libcurl, loaded once per process, by the first caller.
package enum CurlLibrary {
  /// The reason why it cannot be used, for people; nil if it can.
  package static let problem: String? = ccurl_load().map { String(cString: $0) }

  /// The version, such as "7.88.1"; nil if it cannot be used.
  package static var version: String? {
    problem == nil ? String(cString: ccurl_version()) : nil
  }
}
