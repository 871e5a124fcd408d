/// A plugin's request before the host has checked it against the grant.
package struct HTTPRequest: Equatable, Sendable {
  package var method = "GET"
  package var url: String
  package var headers: [HTTPField] = []
  package var body: [UInt8]?
  /// `user` and `password` (RFC 7617), dropped on a redirect to another origin.
  package var basicAuth: (user: String, password: String)?
  /// A bearer token (RFC 6750), dropped on a redirect to another origin.
  package var bearerToken: String?
  /// The time for this request once its turn has come, including redirects and the retry; limited
  /// by the run's window.
  package var timeout: Duration?
  package var followRedirects = true
  /// Whether to send the stored validators; a 304 becomes `notModified`.
  package var conditional = true
  package var bodyBytesMax: Int?
  /// Its parts with secrets, which override the plain ones.
  package var sealed: SealedRequest?

  package init(url: String) { self.url = url }

  package static func == (left: HTTPRequest, right: HTTPRequest) -> Bool {
    left.method == right.method && left.url == right.url && left.headers == right.headers
      && left.body == right.body && left.basicAuth?.user == right.basicAuth?.user
      && left.basicAuth?.password == right.basicAuth?.password
      && left.bearerToken == right.bearerToken && left.timeout == right.timeout
      && left.followRedirects == right.followRedirects && left.conditional == right.conditional
      && left.bodyBytesMax == right.bodyBytesMax && left.sealed == right.sealed
  }
}
