package import FetchModel

/// A job whose user has agreed to what its plugin asks for.
package struct GrantLine: Hashable, Sendable {
  package var job: String
  /// Of the file that was agreed to.
  package var hash: [UInt8]
  /// Whether it waited for that and runs now.
  package var isDue: Bool

  package init(job: String, hash: [UInt8], isDue: Bool) {
    self.job = job
    self.hash = hash
    self.isDue = isDue
  }

  package var text: String {
    isDue ? "\(job): granted; it runs now" : "\(job): granted; it runs at its next time"
  }

  package var value: Value {
    [
      "job": .string(job), "grantedHash": .string(Hexadecimal.text(of: hash)),
      "isDue": .bool(isDue),
    ]
  }

  /// Nil for what is no such line.
  package init?(_ value: Value) {
    guard let job = value["job"]?.stringValue, let isDue = value["isDue"]?.boolValue,
      let hash = value["grantedHash"]?.stringValue.flatMap({
        Hexadecimal.bytes(of: Array($0.utf8))
      })
    else { return nil }
    self.init(job: job, hash: hash, isDue: isDue)
  }
}
