import CHost

/// libcurl, loaded once per process, by whoever asks first.
package enum CurlLibrary {
  /// What keeps it from being used, for people; nil when all is well.
  package static let problem: String? = ccurl_load().map { String(cString: $0) }

  /// "7.88.1"; nil when it cannot be used.
  package static var version: String? {
    problem == nil ? String(cString: ccurl_version()) : nil
  }
}
