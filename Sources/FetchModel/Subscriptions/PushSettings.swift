/// A job's rules for pushes over HTTP, from the config key `push`.
package struct PushSettings: Equatable, Sendable {
  /// The form in which the sender signs a push.
  package enum Signature: String, Sendable, CaseIterable {
    /// `X-Hub-Signature-256`, as forges send it.
    case github
    /// Standard Webhooks 1.0.0.
    case standardWebhooks = "standard-webhooks"
  }

  /// The source of the secret with which the sender signs; nil if pushes need no signature.
  package var secret: SecretSource?
  package var signature = Signature.github

  package init() {}
}
