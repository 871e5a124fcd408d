import FetchModel
import FetchValues
import Testing

/// Tests of the answers of a recording in which a server has sent a secret back.
@Suite struct MadeUpSecretTests {
  private static let url = "https://a.example/"

  private static func answer(_ body: String, _ headers: [HTTPField] = []) -> RecordedEnd {
    var answer = RecordedAnswer(status: 200)
    answer.headers = headers
    answer.body = RecordedBody(Array(body.utf8))
    return .answer(answer)
  }

  private static func given(_ end: RecordedEnd, _ secrets: [RecordedSecret]) throws -> RecordedEnd {
    var answers = RecordedAnswers(
      RecordedRun(requests: [RecordedRequest(url: url, end: end)]), secrets: secrets)
    return try answers.end(of: SentRequest(method: "GET", url: url)).get()
  }

  @Test(arguments: [
    ("[secret a]", "made-up-a"), ("x[secret a][secret b-1]y", "xmade-up-amade-up-b-1y"),
    ("{\"next\":\"/?k=[secret a]&p=2\"}", "{\"next\":\"/?k=made-up-a&p=2\"}"),
    ("[[secret a]]", "[made-up-a]"), ("[secret [secret a]", "[secret made-up-a"),
    // These texts are not marks, or they are marks of secrets that the recording does not have.
    ("[secret c]", "[secret c]"), ("[secret a", "[secret a"), ("[secret ]", "[secret ]"),
    ("[secret", "[secret"), ("[Secret a]", "[Secret a]"), ("[secret a b]", "[secret a b]"),
    ("secret a]", "secret a]"), ("[", "["), ("", ""),
  ]) func `a mark is replaced by the dummy value of its secret`(
    recorded: String, given: String
  ) throws {
    let secrets = [RecordedSecret("a"), RecordedSecret("b-1")]
    let end = try Self.given(
      Self.answer(recorded, [HTTPField("link", recorded), HTTPField("X-A", "a")]), secrets)
    #expect(end == Self.answer(given, [HTTPField("link", given), HTTPField("X-A", "a")]))
  }

  @Test func `inserted values are not searched again`() throws {
    let secrets = [RecordedSecret("a", value: "[secret b]"), RecordedSecret("b")]
    #expect(try Self.given(Self.answer("[secret a]"), secrets) == Self.answer("[secret b]"))
  }

  // MARK: Numbers

  private static func scrubbed(
    _ body: String, _ values: [String: String], validators: [ExactText: Validators] = [:]
  ) -> Recording {
    var redactor = Redactor()
    for (name, value) in values { redactor.add(SecretValue(value), named: name) }
    var recording = Recording()
    recording.secrets = values.keys.sorted().map { RecordedSecret($0) }
    recording.validators = validators
    recording.runs = [RecordedRun(requests: [RecordedRequest(url: url, end: answer(body))])]
    var scrubber = RecordingRedactor([redactor])
    return scrubber.scrubbed(recording)
  }

  @Test(arguments: ["71345678", "007134", "7.1345", "-71345", "7134e5"])
  func `a secret that a server sends back as a number gets a number as dummy`(value: String) throws
  {
    let recording = Self.scrubbed(
      "{\"a\": \(value), \"b\": \"\(value)\"}", ["one": value, "two": "71345679x"])
    #expect(
      recording.runs[0].requests[0].end
        == Self.answer("{\"a\": [secret one], \"b\": \"[secret one]\"}"))
    #expect(recording.secrets.map(\.value) == ["9090909090909", "made-up-two"])
    let end = try Self.given(recording.runs[0].requests[0].end, recording.secrets)
    #expect(end == Self.answer("{\"a\": 9090909090909, \"b\": \"9090909090909\"}"))
  }

  @Test func `the dummies of several secrets differ`() {
    let names = (10..<40).map { "n\($0)" }
    let values = Dictionary(uniqueKeysWithValues: names.map { ($0, "5550\($0.dropFirst())") })
    let recording = Self.scrubbed(values.values.joined(separator: ","), values)
    #expect(Set(recording.secrets.map(\.value)).count == names.count)
    #expect(recording.secrets.allSatisfy { $0.value.count == 13 && Int64($0.value) != nil })
  }

  @Test func `a number that no server sends back gets no number as dummy`() {
    #expect(
      Self.scrubbed("{}", ["pin": "71345678"]).secrets == [RecordedSecret("pin")])
  }

  // MARK: The same body

  @Test func `an answer with the same body as before also has the same body in the recording`()
    throws
  {
    let otherHash = [UInt8](repeating: 7, count: 32)
    func known(_ hash: [UInt8]?) -> Validators {
      Validators(bodyHash: hash, lastFullAnswerAt: Recording.usualNow)
    }
    // `before` is the SHA-256 of the body with the value. `after` is the SHA-256 of the body with
    // the dummy value.
    let before = Hexadecimal.bytes(
      of: Array("0ab5eb92ac997c32d3b957e819409b97591dad12e93d718d3ca2b39236b240f7".utf8))
    let after = Hexadecimal.bytes(
      of: Array("a7f32481007fca6f78d5115d0e38eaa34760234df05f7adcb7281060ee01655f".utf8))
    let other = ExactText("https://b.example/")
    let recording = Self.scrubbed(
      "{\"next\": \"/?key=abcdefgh\"}", ["key": "abcdefgh"],
      validators: [ExactText(Self.url): known(before), other: known(otherHash)])
    #expect(
      recording.validators == [ExactText(Self.url): known(after), other: known(otherHash)])
  }
}
