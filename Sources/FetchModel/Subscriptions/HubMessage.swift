/// A hub's message to a callback, after its check.
package enum HubMessage: Hashable, Sendable {
  /// The hub has verified a request, with the lease that it grants.
  case verified(leaseSeconds: Int64?)
  case denied(reason: String)
  /// The hub reports that the topic has changed. The content is not used.
  case pushed
}

/// The hub that a feed named in its last full answer.
package enum HubDiscovery: Hashable, Sendable {
  case none
  case hub(String, topic: String)
}
