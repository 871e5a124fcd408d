/// What carries one hop to its server and brings its answer back: the network, or a recording.
///
/// All rules are above it, in `HTTPSession`: grants, redirects, retries, validators and cookies are
/// the same whatever the transport is.
package protocol HTTPTransport: Sendable {
  /// One request, one answer: not followed, not repeated. Ends soon when the task is cancelled.
  @concurrent func perform(_ hop: HTTPHop) async -> HTTPHopEnd
}
