import Crypto
package import FetchValues

/// Signs requests by AWS Signature Version 4 in the `Authorization` header.
package enum AWSSignature {
  private static let algorithm = "AWS4-HMAC-SHA256"

  /// What a proxy or the host may still change: signed, it would spoil the signature.
  private static let unsigned: Set<String> = [
    "user-agent", "accept", "accept-encoding", "accept-language", "cache-control", "pragma",
  ]
  private static let own: Set<String> = [
    "authorization", "host", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token",
  ]

  /// The headers that make a request a signed one: `Authorization` and those that it needs. They
  /// replace any of these names among the request's own.
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

  /// Whether the signature decides what that header says.
  package static func isOwn(_ name: String) -> Bool { own.contains(name.asciiLowercased) }

  /// The value of `Authorization`; `time` as in `x-amz-date`.
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

  /// The signing key of a day, region and service.
  package static func key(_ credentials: AWSCredentials, day: String) -> [UInt8] {
    var key = Array("AWS4".utf8) + Array(credentials.secretKey.text.utf8)
    for text in [day, credentials.region, credentials.service, "aws4_request"] {
      key = code(text, key: key)
    }
    return key
  }

  private static func code(_ text: String, key: [UInt8]) -> [UInt8] {
    let key = SymmetricKey(data: key)
    return Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
  }
}
