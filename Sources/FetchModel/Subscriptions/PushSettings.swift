/// A job's rules for pushes over HTTP, from the config key `push`.
package struct PushSettings: Equatable, Sendable {
  /// The form in which the sender signs a push.
  package enum Signature: String, Sendable, CaseIterable {
    /// The header field `X-Hub-Signature-256`, which code forges such as GitHub send.
    case github
    /// The signature of Standard Webhooks 1.0.0.
    case standardWebhooks = "standard-webhooks"
  }

  /// The source of the secret with which the sender signs; nil if pushes need no signature.
  package var secret: SecretSource?
  package var signature = Signature.github
  /// The interval at which the source is polled while a hub pushes updates. It applies if the job's
  /// interval is shorter; nil to keep the job's interval.
  package var poll: Duration?
  /// The maximum of `poll`: one day. A hub may lose a subscription without notice, so polls must
  /// continue.
  package static let pollMax: Duration = .seconds(86_400)

  package init() {}
}
