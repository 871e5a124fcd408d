import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of signatures compared with the vectors that AWS has published. The vectors are from the
/// Signature Version 4 test suite (`suite`), the general reference, and the S3 API reference
/// ("Signature Calculations for the Authorization Header").
@Suite struct AWSSignatureTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var method = "GET"
    var path = "/"
    var query: String?
    var headers: [(String, String)] = []
    var body = ""
    var signed = "host;x-amz-date"
    var signature: String
    var testDescription: String { name }
  }

  static let suiteTime = "20150830T123600Z"
  static let s3Time = "20130524T000000Z"

  static let suite = AWSCredentials(
    keyID: "AKIDEXAMPLE", secretKey: SecretValue("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1", service: "service")
  static let s3 = AWSCredentials(
    keyID: "AKIAIOSFODNN7EXAMPLE",
    secretKey: SecretValue("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1", service: "s3")

  static let suiteCases = [
    Case(
      name: "get-vanilla",
      signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    Case(
      name: "post-vanilla", method: "POST",
      signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
    Case(
      name: "get-vanilla-query-order-key-case", query: "Param2=value2&Param1=value1",
      signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
    Case(
      name: "get-utf8", path: "/ሴ",
      signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
    Case(
      name: "get-header-value-trim",
      headers: [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
      signed: "host;my-header1;my-header2;x-amz-date",
      signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
    Case(
      name: "post-x-www-form-urlencoded", method: "POST",
      headers: [("Content-Type", "application/x-www-form-urlencoded")], body: "Param1=value1",
      signed: "content-type;host;x-amz-date",
      signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
  ]

  @Test(arguments: suiteCases) func `a request of the test suite has AWS's signature`(
    wanted: Case
  ) {
    let headers =
      [HTTPField("Host", "example.amazonaws.com"), HTTPField("X-Amz-Date", Self.suiteTime)]
      + wanted.headers.map { HTTPField($0, $1) }
    let request = AWSCanonicalRequest(
      method: wanted.method, path: wanted.path, query: wanted.query, headers: headers,
      payloadHash: AWSCanonicalRequest.hash(Array(wanted.body.utf8)), isS3: false)
    #expect(
      AWSSignature.authorization(of: request, Self.suite, time: Self.suiteTime)
        == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
        + "SignedHeaders=\(wanted.signed), Signature=\(wanted.signature)")
  }

  static let s3Cases = [
    Case(
      name: "GET object", path: "/test.txt", headers: [("Range", "bytes=0-9")],
      signed: "host;range;x-amz-content-sha256;x-amz-date",
      signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
    Case(
      name: "PUT object", method: "PUT", path: "/test$file.text",
      headers: [
        ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
      ], body: "Welcome to Amazon S3.",
      signed: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
      signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
    Case(
      name: "GET bucket lifecycle", query: "lifecycle",
      signed: "host;x-amz-content-sha256;x-amz-date",
      signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
    Case(
      name: "GET bucket (list objects)", query: "max-keys=2&prefix=J",
      signed: "host;x-amz-content-sha256;x-amz-date",
      signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
  ]

  @Test(arguments: s3Cases) func `a request to S3 has AWS's signature, with its body`(
    wanted: Case
  ) throws {
    let query = wanted.query.map { "?" + $0 } ?? ""
    var request = HTTPRequest(
      url: "https://examplebucket.s3.amazonaws.com\(wanted.path)\(query)")
    request.method = wanted.method
    request.headers = wanted.headers.map { HTTPField($0, $1) }
    request.body = wanted.body.isEmpty ? nil : Array(wanted.body.utf8)
    let now = Timestamp(seconds: 1_369_353_600)
    let headers = AWSSignature.headers(for: try RequestPlan(request), Self.s3, now: now)
    #expect(headers.map(\.name) == ["x-amz-date", "x-amz-content-sha256", "authorization"])
    #expect(headers[0].value == Self.s3Time)
    #expect(headers[1].value == AWSCanonicalRequest.hash(Array(wanted.body.utf8)))
    #expect(
      headers[2].value
        == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        + "SignedHeaders=\(wanted.signed), Signature=\(wanted.signature)")
  }

  @Test func `the signing key equals that of the general reference`() {
    var credentials = Self.suite
    credentials.service = "iam"
    #expect(
      Hexadecimal.text(of: AWSSignature.key(credentials, day: "20150830"))
        == "c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9")
  }

  @Test func `a path is escaped once for S3 and twice for other services`() {
    func path(isS3: Bool) -> Substring {
      AWSCanonicalRequest(
        method: "GET", path: "/a%20b/c+d", query: nil, headers: [], payloadHash: "", isS3: isS3
      ).text.split(separator: "\n")[1]
    }
    #expect(path(isS3: true) == "/a%20b/c%2Bd")
    #expect(path(isS3: false) == "/a%2520b/c%2Bd")
  }

  @Test func `a session token is sent and signed, and headers that proxies change are not signed`()
    throws
  {
    var credentials = Self.suite
    credentials.sessionToken = SecretValue("t0ken")
    var request = HTTPRequest(url: "https://a.example:8443/")
    request.headers = [HTTPField("User-Agent", "x"), HTTPField("X-Amz-Date", "yesterday")]
    let headers = AWSSignature.headers(
      for: try RequestPlan(request), credentials, now: Timestamp(seconds: 0))
    #expect(headers.first { $0.name == "x-amz-security-token" }?.value == "t0ken")
    #expect(
      headers.last?.value.contains("SignedHeaders=host;x-amz-date;x-amz-security-token,") == true)
  }

  @Test func `tabs in a header's value are signed like spaces`() {
    func request(_ value: String) -> AWSCanonicalRequest {
      AWSCanonicalRequest(
        method: "GET", path: "/", query: nil, headers: [HTTPField("a", value)], payloadHash: "",
        isS3: false)
    }
    #expect(request("\tb \t c\td\t") == request("b c d"))
  }
}
