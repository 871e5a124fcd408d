package import FetchModel
package import FetchValues

/// The check of a request whose body is not kept. If `signature` is not nil, the body is hashed as
/// it arrives.
package struct BodyCheck: Sendable {
  /// The job that a push is for. Nil for a hub's message, or if no job was found for the push's
  /// address.
  package var job: JobName?
  /// The id of the subscription that a hub's message is for; 0 if it could not be read from the
  /// store. Nil for a push, or if the subscription is unknown.
  package var subscription: Int64?
  /// The check of the signature over the body; nil if no signature is needed.
  package var signature: SignatureCheck?
  /// The id by which a repeated push is recognised; nil if repeated pushes are not recognised.
  package var id: String?
  /// The problem that was found before the body arrived. The answer still waits for the whole body,
  /// so that the time of the answer does not reveal the problem.
  package var problem: WebProblem?

  package mutating func update(_ bytes: [UInt8]) { signature?.update(bytes) }
}
