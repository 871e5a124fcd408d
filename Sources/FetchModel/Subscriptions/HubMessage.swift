/// A hub's message to a callback, after the message was checked.
package enum HubMessage: Hashable, Sendable {
  /// The hub has verified a subscription request. `leaseSeconds` is the lease that the hub grants;
  /// nil if the hub names no valid lease.
  case verified(leaseSeconds: Int64?)
  case denied(reason: String)
  /// The hub reports that the topic has changed. The content of the message is not used.
  case pushed
}

/// The hub and the topic that a run found in a full answer; `none` if the run found no usable hub.
package enum HubDiscovery: Hashable, Sendable {
  case none
  case hub(String, topic: String)
}
