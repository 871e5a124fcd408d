/// A way to carry one hop to its server and bring its answer back: the network, or a recording.
///
/// All rules are above it, in `HTTPSession`: grants, redirects, retries, validators and cookies are
/// the same for every transport.
package protocol HTTPTransport: Sendable {
  /// Sends one request and returns its answer, without redirects or retries. Ends soon when the
  /// task is cancelled.
  @concurrent func perform(_ hop: HTTPHop) async -> HTTPHopEnd
}
