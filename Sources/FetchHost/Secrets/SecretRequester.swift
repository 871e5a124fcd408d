import FetchModel
import FetchValues

/// The parts of a session that are needed to insert secrets into a request.
protocol SecretRequester: Sendable {
  /// The grant that applies to the session's requests.
  var grant: Grant { get }
  var now: @Sendable () -> Timestamp { get }

  /// Sends a request for an access token to the token's own server, for which the plugin needs no
  /// permission.
  func sendForToken(_ request: HTTPRequest) async -> Result<HTTPAnswer, Failure>
}
