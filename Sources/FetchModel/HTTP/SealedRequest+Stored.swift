package import FetchValues

/// The form in which a transfer keeps its secrets: their names, never a value. It has no body.
extension SealedRequest {
  package var stored: Value {
    var object = ValueObject()
    func add(_ key: String, _ text: SecretText?) {
      if let text { object.append(key, text.wire) }
    }
    add("url", url)
    add("user", user)
    add("password", password)
    add("bearer", bearer)
    if !headers.isEmpty {
      let pairs = headers.map { Value.array([.string($0.name), $0.value.wire]) }
      object.append("headers", .array(pairs))
    }
    if let aws { object.append("aws", aws.stored) }
    return .object(object)
  }

  /// Nil for what no fetchrun has written.
  package init?(stored value: Value) {
    do throws(SecretProblem) {
      self.init()
      url = try Self.text(value["url"])
      user = try Self.text(value["user"])
      password = try Self.text(value["password"])
      bearer = try Self.text(value["bearer"])
      for pair in value["headers"]?.arrayValue ?? [] {
        guard let pair = pair.arrayValue, pair.count == 2, let name = pair[0].stringValue else {
          return nil
        }
        headers.append(Header(name: name, value: try SecretText(wire: pair[1])))
      }
      if let value = value["aws"] {
        guard let aws = try AWS(stored: value) else { return nil }
        self.aws = aws
      }
    } catch {
      return nil
    }
  }

  fileprivate static func text(_ value: Value?) throws(SecretProblem) -> SecretText? {
    guard let value else { return nil }
    return try SecretText(wire: value)
  }
}

extension SealedRequest.AWS {
  fileprivate var stored: Value {
    var object = ValueObject([
      ("key", keyID.wire), ("secret", secretKey.wire), ("region", .string(region)),
      ("service", .string(service)),
    ])
    if let sessionToken { object.append("token", sessionToken.wire) }
    return .object(object)
  }

  fileprivate init?(stored value: Value) throws(SecretProblem) {
    guard let key = value["key"], let secret = value["secret"],
      let region = value["region"]?.stringValue, let service = value["service"]?.stringValue
    else { return nil }
    self.init(
      keyID: try SecretText(wire: key), secretKey: try SecretText(wire: secret), region: region,
      service: service)
    sessionToken = try SealedRequest.text(value["token"])
  }
}
