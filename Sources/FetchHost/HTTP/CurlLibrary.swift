import CHost

/// libcurl, loaded once per process, by the first caller.
package enum CurlLibrary {
  /// The reason why libcurl cannot be used, as a message; nil if libcurl can be used.
  package static let problem: String? = ccurl_load().map { String(cString: $0) }

  /// The version of libcurl, such as "7.88.1"; nil if libcurl cannot be used.
  package static var version: String? {
    problem == nil ? String(cString: ccurl_version()) : nil
  }
}
