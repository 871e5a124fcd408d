package import FetchModel
package import FetchValues

/// The check of a request whose body is hashed as it arrives and not kept.
package struct BodyCheck: Sendable {
  /// The job that a push to this address starts; nil if the address is unknown.
  package var job: JobName?
  /// The id of the subscription to which the callback belongs; nil if the callback is unknown.
  package var subscription: Int64?
  /// The check of the signature over the body; nil if no signature is needed.
  package var signature: SignatureCheck?
  /// The id of the message, because a message is accepted only once; nil if messages have no id.
  package var id: String?
  /// The problem that the head has already shown. The answer waits for the body, so that the time
  /// of the answer does not depend on the problem.
  package var problem: WebProblem?

  package mutating func update(_ bytes: [UInt8]) { signature?.update(bytes) }
}
