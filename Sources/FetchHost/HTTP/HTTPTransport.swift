/// A way to send one hop and receive its answer, from the network or from a recording.
///
/// Grants, redirects, retries, validators and cookies are handled in `HTTPSession`, so they are the
/// same for every transport.
package protocol HTTPTransport: Sendable {
  /// Sends one request and returns its answer, without redirects or retries. Ends soon when the
  /// task is cancelled.
  @concurrent func perform(_ hop: HTTPHop) async -> HTTPHopEnd
}
