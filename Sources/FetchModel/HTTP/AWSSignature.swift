package import FetchValues

/// The signing of requests by AWS Signature Version 4, with the signature in the `Authorization`
/// header.
package enum AWSSignature {
  private static let algorithm = "AWS4-HMAC-SHA256"

  /// The headers that are not signed. A proxy or the host may still change these headers, and a
  /// change of a signed header would break the signature.
  private static let unsigned: Set<String> = [
    "user-agent", "accept", "accept-encoding", "accept-language", "cache-control", "pragma",
  ]
  private static let own: Set<String> = [
    "authorization", "host", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token",
  ]

  /// Returns the headers that sign a request: `Authorization` and the required `x-amz-` headers.
  /// The caller must first remove the request's own headers for which `isOwn` is true, and then add
  /// the returned headers.
  package static func headers(
    for plan: RequestPlan, _ credentials: AWSCredentials, now: Timestamp
  ) -> [HTTPField] {
    let time = DateFormat.text(now, "%Y%m%dT%H%M%SZ") ?? ""
    let payload = AWSCanonicalRequest.hash(plan.body ?? [])
    var added = [HTTPField("x-amz-date", time)]
    if credentials.isS3 { added.append(HTTPField("x-amz-content-sha256", payload)) }
    if let token = credentials.sessionToken {
      added.append(HTTPField("x-amz-security-token", token.text))
    }
    let kept = plan.headers.filter {
      !isOwn($0.name) && !unsigned.contains($0.name.asciiLowercased)
    }
    let request = AWSCanonicalRequest(
      method: plan.method, path: plan.target.path, query: plan.target.query,
      headers: kept + [HTTPField("host", plan.target.authority)] + added, payloadHash: payload,
      isS3: credentials.isS3)
    return added + [
      HTTPField("authorization", authorization(of: request, credentials, time: time))
    ]
  }

  /// Whether only the host may set a header with the given name in a signed request.
  package static func isOwn(_ name: String) -> Bool { own.contains(name.asciiLowercased) }

  /// Returns the value of `Authorization`. `time` has the form of `x-amz-date`.
  package static func authorization(
    of request: AWSCanonicalRequest, _ credentials: AWSCredentials, time: String
  ) -> String {
    let day = String(time.prefix(8))
    let scope = "\(day)/\(credentials.region)/\(credentials.service)/aws4_request"
    let text = [algorithm, time, scope, request.hash].joined(separator: "\n")
    let signature = code(text, key: key(credentials, day: day))
    return "\(algorithm) Credential=\(credentials.keyID)/\(scope), "
      + "SignedHeaders=\(request.signedHeaders), Signature=\(Hexadecimal.text(of: signature))"
  }

  /// Returns the signing key for a day, region and service.
  package static func key(_ credentials: AWSCredentials, day: String) -> [UInt8] {
    var key = Array("AWS4".utf8) + Array(credentials.secretKey.text.utf8)
    for text in [day, credentials.region, credentials.service, "aws4_request"] {
      key = code(text, key: key)
    }
    return key
  }

  private static func code(_ text: String, key: [UInt8]) -> [UInt8] {
    return HMAC.code(.sha256, for: Array(text.utf8), key: key)
  }
}

/// The canonical form of a request, which the client and the server compute and sign in the same
/// way. See "Create a canonical request" in the AWS Signature Version 4 documentation. The S3 API
/// reference has the rules that differ for S3.
package struct AWSCanonicalRequest: Equatable, Sendable {
  package let text: String
  /// The names of the signed headers, joined by `;`.
  package let signedHeaders: String

  /// Creates the canonical request. `path` and `query` have the form in which they are sent. All
  /// given headers are signed. They must include `host`.
  package init(
    method: String, path: String, query: String?, headers: [HTTPField], payloadHash: String,
    isS3: Bool
  ) {
    let fields = Self.canonical(headers)
    signedHeaders = fields.map(\.name).joined(separator: ";")
    let lines = fields.map { "\($0.name):\($0.value)\n" }.joined()
    text = [
      method, Self.canonical(path: path, isS3: isS3), Self.canonical(query: query ?? ""), lines,
      signedHeaders, payloadHash,
    ].joined(separator: "\n")
  }

  package var hash: String { Self.hash(Array(text.utf8)) }

  package static func hash(_ bytes: [UInt8]) -> String {
    Hexadecimal.text(of: SHA256.hash(data: bytes))
  }

  /// Returns the canonical path. For S3, the bytes of the path are encoded once. For all other
  /// services, the path as sent, which is already encoded, is encoded again.
  private static func canonical(path: String, isS3: Bool) -> String {
    let kept = ByteSet.unreserved.union(ByteSet("/"))
    let bytes = isS3 ? PercentEncoding.decode(path.utf8) : Array(path.utf8)
    return String(decoding: PercentEncoding.encode(bytes, keeping: kept), as: UTF8.self)
  }

  private static func canonical(query: String) -> String {
    let pairs = query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let cut = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      let name = PercentEncoding.encode(PercentEncoding.decode(pair[..<cut]))
      let value = PercentEncoding.encode(PercentEncoding.decode(pair[cut...].dropFirst()))
      return (name: name, value: value)
    }
    let sorted = pairs.sorted { left, right in
      left.name == right.name
        ? left.value.lexicographicallyPrecedes(right.value)
        : left.name.lexicographicallyPrecedes(right.name)
    }
    return sorted.map { pair in
      String(decoding: pair.name, as: UTF8.self) + "=" + String(decoding: pair.value, as: UTF8.self)
    }.joined(separator: "&")
  }

  /// Returns the fields with lower-case names, in alphabetical order. Spaces and tabs at both ends
  /// of a value are removed. Each sequence of spaces and tabs inside a value becomes one space. The
  /// values of fields with the same name are joined by commas.
  private static func canonical(_ fields: [HTTPField]) -> [HTTPField] {
    var canonical: [HTTPField] = []
    for field in fields {
      let name = field.name.asciiLowercased
      let value = field.value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
      if let index = canonical.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
        canonical[index].value += "," + value
      } else {
        canonical.append(HTTPField(name, value))
      }
    }
    return canonical.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

/// The credentials and scope for signing a request by AWS Signature Version 4.
package struct AWSCredentials: Equatable, Sendable {
  package var keyID: String
  package var secretKey: SecretValue
  /// The session token of temporary credentials.
  package var sessionToken: SecretValue?
  package var region: String
  /// The AWS service, such as `execute-api`. For `s3`, the path has another canonical form, and the
  /// header `x-amz-content-sha256` is added.
  package var service: String

  package init(keyID: String, secretKey: SecretValue, region: String, service: String) {
    self.keyID = keyID
    self.secretKey = secretKey
    self.region = region
    self.service = service
  }

  package var isS3: Bool { service == "s3" }
}
