import FetchValues

extension ManifestReader {
  package static let secretKeys = ["hosts", "required", "description"]

  mutating func secrets(_ value: Value?, options: [OptionSpec]) -> [SecretRequest] {
    guard let value else { return [] }
    let path = ["permissions", "secrets"]
    guard let object = value.objectValue else {
      note(path, "must be a table: secrets = { token = { hosts = { \"api.example.org\" } } }")
      return []
    }
    return object.sortedByKey.members.map { secret($0.key, $0.value, options, path + [$0.key]) }
  }

  private mutating func secret(
    _ name: String, _ value: Value, _ options: [OptionSpec], _ path: [String]
  ) -> SecretRequest {
    var request = SecretRequest(name: name)
    if !SecretName.isValid(name) {
      note(path, "is not a valid secret name; use \(SecretName.rule)")
    }
    guard let object = value.objectValue else {
      note(path, "must be a table such as { hosts = { \"api.example.org\" } }")
      return request
    }
    refuseUnknown(object, known: Self.secretKeys, path: path)
    request.summary = text(object, "description", path: path)
    request.isRequired = flag(object, "required", path: path)
    request.hosts = texts(object, "hosts", path: path)
    if object["hosts"]?.arrayValue?.isEmpty ?? true {
      note(
        path,
        "must name the hostnames that may receive the secret: hosts = { \"api.example.org\" }")
    }
    checkHosts(request.hosts, options, path: path + ["hosts"])
    if request.hosts.contains(where: { HostPattern($0)?.name == "*" }) {
      note(path + ["hosts"], "must name hostnames, because only the user can allow all hostnames")
    }
    return request
  }
}
