/// A plugin's request that the host has not yet checked against the grant.
package struct HTTPRequest: Equatable, Sendable {
  package var method = "GET"
  package var url: String
  package var headers: [HTTPField] = []
  package var body: [UInt8]?
  /// The user name and password for basic authentication (RFC 7617). They are not sent after a
  /// redirect to another origin.
  package var basicAuth: (user: String, password: String)?
  /// A bearer token (RFC 6750). It is not sent after a redirect to another origin.
  package var bearerToken: String?
  /// The timeout of this request, including redirects and the retry; the run's window limits it
  /// further. The wait in the hostname's lane does not count.
  package var timeout: Duration?
  package var followRedirects = true
  /// Whether the host sends the stored validators. A 304 then becomes `notModified`.
  package var conditional = true
  package var bodyBytesMax: Int?
  /// The parts of the request that contain secrets, which override the same parts without secrets.
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
