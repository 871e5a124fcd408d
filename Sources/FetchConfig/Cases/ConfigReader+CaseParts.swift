import FetchModel
import FetchValues

/// The reading of the secrets and transfers of a `case.yaml`.
extension ConfigReader {
  mutating func recordedSecrets(_ node: Node) -> [RecordedSecret] {
    var secrets: [RecordedSecret] = []
    guard let mapping = mapping(node, "secrets") else { return [] }
    for (key, child) in mapping {
      guard let name = key.string, SecretName.isValid(name) else {
        note(key, "invalid secret name: use \(SecretName.rule)")
        continue
      }
      if let secret = secret(name, child) { secrets.append(secret) }
    }
    return secrets
  }

  private mutating func secret(_ name: String, _ node: Node) -> RecordedSecret? {
    var value: String? = ""
    var hosts: [HostPattern]?
    if case .mapping(let mapping, _) = node {
      for (key, _, node) in entries(mapping, CaseKey.Secret.self) {
        switch key {
        case .value: value = text(node, key.rawValue)
        case .hosts: hosts = self.hosts(node)
        }
      }
    } else {
      value = text(node, name)
    }
    guard let value else { return nil }
    // A value of fewer than `guardedBytesMin` bytes could occur by chance in the text of a request.
    if value.utf8.count < Redactor.guardedBytesMin {
      note(node, "the secret needs a made-up value of \(Redactor.guardedBytesMin) bytes or more")
    }
    return RecordedSecret(name, value: value, hosts: hosts)
  }

  mutating func transfer(_ node: Node) -> RecordedTransfer? {
    guard let mapping = mapping(node, "a transfer") else { return nil }
    let problemCount = problems.count
    var url: String?
    var path: FilePath?
    var isNamed = false
    var rest: [(CaseKey.Transfer, Node)] = []
    for (key, _, node) in entries(mapping, CaseKey.Transfer.self) {
      switch key {
      case .url: url = text(node, key.rawValue)
      case .to:
        isNamed = true
        path = parsedOne(node, key.rawValue, by: FilePath.init)
      default: rest.append((key, node))
      }
    }
    if url == nil || !isNamed, problems.count == problemCount {
      note(node, "the transfer needs `url` and `to`")
    }
    guard let url, let path else { return nil }
    var transfer = RecordedTransfer(url: url, to: path)
    for (key, node) in rest { set(key, to: node, in: &transfer) }
    return transfer
  }

  private mutating func set(
    _ key: CaseKey.Transfer, to node: Node, in transfer: inout RecordedTransfer
  ) {
    let name = key.rawValue
    switch key {
    case .size: transfer.size = count(node, name, 0...(1 << 50)).map(Int64.init)
    case .sha256: transfer.sha256 = sha256(node, name)
    case .etag: transfer.etag = text(node, name)
    case .modified: transfer.modified = time(node, name)
    case .failure: transfer.failure = failure(node)
    case .url, .to: break
    }
  }

  private mutating func failure(_ node: Node) -> Failure? {
    guard let object = object(node, "failure") else { return nil }
    guard let code = object["code"]?.stringValue.flatMap(FailureCode.init),
      let message = object["message"]?.stringValue, object.members.count == 2
    else {
      note(
        node, "`failure` must be { code: CODE, message: TEXT }, with a code such as httpStatus")
      return nil
    }
    return Failure(code, message)
  }
}
