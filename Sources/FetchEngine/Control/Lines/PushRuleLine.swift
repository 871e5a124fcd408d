package import FetchModel
package import FetchValues

/// The rule for HTTP pushes to a job. The daemon sends the rule to the web process.
///
/// Anybody can send a push with a body of up to 25 MiB. The web process checks the signature, since
/// the daemon holds all secrets and should not read such bodies. A slow sender would also occupy
/// one of the daemon's few connections.
///
/// HMAC starts with the key, so the web process needs the key before it reads the body. It requests
/// the key only for a push to the job's secret address. A compromised web process gains nothing
/// from the key, because it may push any job anyway.
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
