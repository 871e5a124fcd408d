import FetchModel
import FetchValues
import Foundation
import Testing

/// Tests of signatures compared with botocore, AWS's own implementation. `Tests/S3/vectors.py`
/// makes the vectors.
@Suite struct AWSVectorTests {
  private static func vectors() throws -> Value {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "S3/vectors.json")
    return try JSONReader.decode(String(contentsOf: file, encoding: .utf8))
  }

  private static func request(_ vector: Value) throws -> HTTPRequest {
    var request = HTTPRequest(url: try #require(vector["url"]?.stringValue))
    request.method = try #require(vector["method"]?.stringValue)
    request.body = vector["body"]?.stringValue.map { Array($0.utf8) }
    for pair in vector["headers"]?.arrayValue ?? [] {
      let texts = pair.arrayValue?.compactMap(\.stringValue) ?? []
      try #require(texts.count == 2)
      request.headers.append(HTTPField(texts[0], texts[1]))
    }
    return request
  }

  @Test func `requests have the same signatures as with botocore`() throws {
    let vectors = try Self.vectors()
    let now = Timestamp(seconds: try #require(vectors["time"]?.integerValue))
    let cases = try #require(vectors["cases"]?.arrayValue)
    #expect(cases.count == 41)
    for vector in cases {
      var credentials = AWSCredentials(
        keyID: try #require(vectors["key_id"]?.stringValue),
        secretKey: SecretValue(try #require(vectors["secret"]?.stringValue)),
        region: try #require(vectors["region"]?.stringValue),
        service: try #require(vector["service"]?.stringValue))
      credentials.sessionToken = vector["token"]?.stringValue.map { SecretValue($0) }
      let plan = try RequestPlan(Self.request(vector))
      let headers = AWSSignature.headers(for: plan, credentials, now: now)
      #expect(
        headers.last?.value == vector["authorization"]?.stringValue,
        "\(vector["name"]?.stringValue ?? "")")
    }
  }
}
