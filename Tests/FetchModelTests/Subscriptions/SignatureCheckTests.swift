import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of signatures over bodies, with published examples.
@Suite struct SignatureCheckTests {
  private func isRight(_ check: SignatureCheck, _ body: String, partBytes: Int = 7) -> Bool {
    var check = check
    var rest = Array(body.utf8)[...]
    while !rest.isEmpty {
      check.update(Array(rest.prefix(partBytes)))
      rest = rest.dropFirst(partBytes)
    }
    return check.isRight
  }

  /// The signature in GitHub's page "Validating webhook deliveries".
  private static let github =
    "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
  private static let githubKey = Array("It's a Secret to Everybody".utf8)

  @Test func `a forge's signature is right for its body and key alone`() {
    let check = SignatureCheck.github([Self.github], key: Self.githubKey)
    #expect(isRight(check, "Hello, World!"))
    #expect(isRight(check, "Hello, World!", partBytes: 1))
    #expect(!isRight(check, "Hello, World?"))
    #expect(!isRight(check, ""))
    #expect(!isRight(.github([Self.github], key: Array("other".utf8)), "Hello, World!"))
  }

  @Test(arguments: [
    [], [""], ["sha256="], ["sha256=zz"], [String(github.dropLast())], [github + "00"],
    [String(github.dropFirst(7))], ["sha1=" + github.dropFirst(7)], [github, github],
    [github.uppercased()],
  ])
  func `a missing, damaged or repeated signature is not right`(fields: [String]) {
    #expect(!isRight(.github(fields, key: Self.githubKey), "Hello, World!"))
  }

  /// The signatures of RFC 4231, test case 2, and of RFC 2202, test case 2 of SHA-1.
  private static let jefe = [
    "sha1=effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
    "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    "sha384=af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
      + "8e2240ca5e69e2c78b3239ecfab21649",
    "sha512=164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
      + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
  ]

  @Test(arguments: jefe) func `a hub chooses one of four hash functions`(field: String) {
    let key = Array("Jefe".utf8)
    #expect(isRight(.hub([field], key: key), "what do ya want for nothing?"))
    #expect(!isRight(.hub([field], key: key), "what do you want for nothing?"))
    #expect(!isRight(.hub([field], key: Array("Jeff".utf8)), "what do ya want for nothing?"))
    #expect(!isRight(.hub([field, field], key: key), "what do ya want for nothing?"))
  }

  @Test(arguments: ["", "=", "md5=00", "sha256", "sha256=", "sha999=5bdc", "sha384=5bdc"])
  func `a hub's signature in another form is not right`(field: String) {
    #expect(!isRight(.hub([field], key: Array("Jefe".utf8)), "what do ya want for nothing?"))
  }

  /// The signature in the example of the reference libraries of Standard Webhooks.
  private static let webhook = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
  private static let webhookKey = StandardWebhook.key(
    SecretValue("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))

  private func webhook(
    _ signatures: [String], id: String = "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: String = "1614265330"
  ) -> Bool {
    isRight(
      .standardWebhook(id: id, timestamp: timestamp, signatures, key: Self.webhookKey),
      #"{"test": 2432232314}"#)
  }

  @Test func `a Standard Webhooks signature covers the id, the time and the body`() {
    #expect(webhook([Self.webhook]))
    #expect(webhook(["v1,AAAA v2,BBBB \(Self.webhook)"]))
    #expect(!webhook([Self.webhook], id: "msg_other"))
    #expect(!webhook([Self.webhook], timestamp: "1614265331"))
    #expect(!webhook([]))
    #expect(!webhook(["v1a," + Self.webhook.dropFirst(3)]))
    #expect(!webhook([Self.webhook, Self.webhook]))
    #expect(!webhook([String(repeating: "v1,AAAA ", count: 8) + Self.webhook]))
  }

  @Test func `our own webhooks are signed in the same form`() throws {
    let now = Timestamp(seconds: 1_800_000_000)
    let fields = StandardWebhook.fields(id: "a.b", at: now, body: Array("x".utf8), key: [1, 2])
    func value(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
    let time = try WebhookTime(
      ids: value("webhook-id"), timestamps: value("webhook-timestamp"), now: now)
    let check = SignatureCheck.standardWebhook(
      id: time.id, timestamp: time.timestamp, value("webhook-signature"), key: [1, 2])
    #expect(isRight(check, "x"))
    #expect(!isRight(check, "y"))
  }
}

/// Tests of the ids and times of Standard Webhooks messages.
@Suite struct WebhookTimeTests {
  private static let now = Timestamp(seconds: 1_800_000_000)

  @Test(arguments: [-300, -1, 0, 299, 300] as [Int64])
  func `a time within five minutes is accepted`(seconds: Int64) throws {
    let time = try WebhookTime(
      ids: ["m"], timestamps: ["\(1_800_000_000 + seconds)"], now: Self.now)
    #expect(time.id == "m")
  }

  @Test(arguments: ["1799999699", "1800000301", "0", "999999999999"])
  func `another time is stale`(text: String) {
    #expect(throws: WebhookTime.Problem.stale) {
      try WebhookTime(ids: ["m"], timestamps: [text], now: Self.now)
    }
  }

  @Test(arguments: [
    ([], ["1800000000"]), (["m"], []), (["m", "n"], ["1800000000"]), ([""], ["1800000000"]),
    (["m"], ["1800000000", "1800000000"]), (["m"], ["-1800000000"]), (["m"], ["18e8"]),
    (["m"], [""]), (["m"], ["9999999999999"]),
    ([String(repeating: "m", count: 257)], ["1800000000"]),
  ])
  func `a missing, repeated or malformed id or time is invalid`(ids: [String], times: [String]) {
    #expect(throws: WebhookTime.Problem.invalid) {
      try WebhookTime(ids: ids, timestamps: times, now: Self.now)
    }
  }

  @Test func `each id of a job is new once, and again after ten minutes`() {
    var ids = WebhookIDs()
    #expect(ids.take("m", of: "a", now: Self.now) == .new)
    #expect(ids.take("m", of: "a", now: Self.now + .seconds(599)) == .repeated)
    #expect(ids.take("m", of: "b", now: Self.now) == .new)
    #expect(ids.take("m", of: "a", now: Self.now + .seconds(600)) == .new)
    ids.giveBack("m", of: "a")
    #expect(ids.take("m", of: "a", now: Self.now + .seconds(601)) == .new)
  }

  @Test func `the number of known ids is bounded`() {
    var ids = WebhookIDs()
    for number in 0..<WebhookIDs.countMax {
      #expect(ids.take("\(number)", of: "a", now: Self.now) == .new)
    }
    #expect(ids.take("more", of: "a", now: Self.now) == .full)
    #expect(ids.take("more", of: "a", now: Self.now + .seconds(600)) == .new)
  }
}
