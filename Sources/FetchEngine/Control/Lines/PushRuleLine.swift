package import FetchModel
package import FetchValues

/// The rule for pushes to a job over HTTP, which the daemon sends to the web process.
///
/// Anybody can send a push with a body of up to 25 MiB. So the web process checks the signature:
/// the daemon holds all secrets and should not read such bodies. A slow sender must not occupy one
/// of the daemon's few connections.
///
/// The check needs the key from the beginning, since HMAC starts with the key. The daemon sends
/// this one key, but the web process requests it only for a push to the job's secret address. The
/// web process forgets the key after the push. The key gives a broken web process no new power over
/// the daemon, because the web process may push any job anyway. The documentation tells people to
/// use the secret for nothing else.
package struct PushRuleLine: Equatable, Sendable {
  package var job: String
  /// The form of the signature; nil if pushes need no signature.
  package var signature: PushSettings.Signature?
  package var key: [UInt8] = []

  package init(job: String, signature: PushSettings.Signature? = nil, key: [UInt8] = []) {
    self.job = job
    self.signature = signature
    self.key = key
  }

  package var value: Value {
    [
      "job": .string(job), "signature": .text(signature?.rawValue),
      "key": .string(Hexadecimal.text(of: key)),
    ]
  }

  /// Reads a line from JSON; returns nil if `value` is not a valid line. A rule that cannot be read
  /// must not become a rule without a signature.
  package init?(_ value: Value) {
    guard let job = value["job"]?.stringValue, let form = value["signature"],
      let key = value["key"]?.stringValue.flatMap({ Hexadecimal.bytes(of: Array($0.utf8)) })
    else { return nil }
    self.init(job: job, key: key)
    if form.isNull { return }
    guard let word = form.stringValue, let signature = PushSettings.Signature(rawValue: word),
      !key.isEmpty
    else { return nil }
    self.signature = signature
  }
}

extension PushRuleLine: CustomStringConvertible, CustomReflectable {
  package var description: String { "the rule for pushes to \(job)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
