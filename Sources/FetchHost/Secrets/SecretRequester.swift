import FetchModel
import FetchValues

/// What opening a secret needs of the session whose request carries it.
protocol SecretRequester: Sendable {
  /// Where requests of the session may go.
  var grant: Grant { get }
  var now: @Sendable () -> Timestamp { get }

  /// Sends a request for an access token to the token's own server, which the plugin needs no
  /// permission for.
  func sendForToken(_ request: HTTPRequest) async -> Result<HTTPAnswer, Failure>
}
