package import FetchModel
package import FetchValues

/// The check of a request whose body is hashed as it arrives and not kept.
package struct BodyCheck: Sendable {
  /// The job that a push to this address starts; nil for a hub's message, or if no job with this
  /// address was found.
  package var job: JobName?
  /// The id of the subscription to which the callback belongs; nil for a push, or if the callback
  /// is unknown. The id is 0 if the store cannot be read.
  package var subscription: Int64?
  /// The check of the signature over the body; nil if no signature is needed.
  package var signature: SignatureCheck?
  /// The id of the message, by which a repeated message is recognised; nil if messages have no id.
  package var id: String?
  /// The problem that was found before the body arrived. The answer still waits for the whole body,
  /// so that the time of the answer does not reveal the problem.
  package var problem: WebProblem?

  package mutating func update(_ bytes: [UInt8]) { signature?.update(bytes) }
}
