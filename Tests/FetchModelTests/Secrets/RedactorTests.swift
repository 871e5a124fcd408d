import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct RedactorTests {
  static let awkward = #"s3/cr&t+"k é<9"#

  static func redactor(_ value: String, name: String = "token") -> Redactor {
    var redactor = Redactor()
    redactor.add(SecretValue(value), named: name)
    return redactor
  }

  static let spellings: [(text: String, redacted: String)] = [
    (#"a s3/cr&t+"k é<9 b"#, "a [secret token] b"),
    ("?k=s3%2Fcr%26t%2B%22k%20%C3%A9%3C9&b=1", "?k=[secret token]&b=1"),
    ("?k=s3%2fcr%26t%2b%22k%20%c3%a9%3c9", "?k=[secret token]"),
    ("k=s3/cr%26t%2B%22k+%C3%A9%3C9", "k=[secret token]"),
    (#"{"k":"s3/cr&t+\"k é<9"}"#, #"{"k":"[secret token]"}"#),
    (#"{"k":"s3\/cr&t+\"k \u00e9\u003c9"}"#, #"{"k":"[secret token]"}"#),
    (#"<p>s3/cr&amp;t+&quot;k é&lt;9</p>"#, "<p>[secret token]</p>"),
    ("<p>s3&#47;cr&#x26;t+&#34;k &#233;&#60;9</p>", "<p>[secret token]</p>"),
    (
      "?u=%2Fx%3Fk%3Ds3%252Fcr%2526t%252B%2522k%2520%25C3%25A9%253C9&b",
      "?u=%2Fx%3Fk%3D[secret token]&b"
    ),
    ("k=s3%252fcr%2526t%252b%2522k%2520%25c3%25a9%253c9", "k=[secret token]"),
    ("k=s3/cr%2526t%252B%2522k%2B%25C3%25A9%253C9", "k=[secret token]"),
    ("k=s3%2Fcr%2526t%252B%2522k+%25C3%25A9%253C9", "k=[secret token]"),
    ("x=73332f63722674 2b", "x=73332f63722674 2b"),
    ("x=73332f637226742b226b20c3a93c39.", "x=[secret token]."),
    ("x=73332F637226742B226B20C3A93C39.", "x=[secret token]."),
    ("x=OMZS6Y3SEZ2CWITLEDB2SPBZ.", "x=[secret token]."),
    ("x=omzs6y3sez2cwitledb2spbz.", "x=[secret token]."),
    ("nothing of s3/cr it", "nothing of s3/cr it"),
  ]

  @Test(arguments: spellings.indices) func `a value is found in each of its encodings`(index: Int) {
    let (text, redacted) = Self.spellings[index]
    #expect(Self.redactor(Self.awkward).redacted(text) == redacted)
  }

  @Test(arguments: ["", "u:", "us:", "use:", "a longer user:"])
  func `a value is found in base64, whatever surrounds it`(before: String) {
    let redactor = Self.redactor("correct horse battery")
    for after in ["", ".", "..", "..."] {
      let text = "\(before)correct horse battery\(after)"
      for alphabet in [Base64.Alphabet.standard, .url] {
        let encoded = Base64.text(Array(text.utf8), alphabet)
        let redacted = redactor.redacted("Basic \(encoded) end")
        #expect(redacted.hasPrefix("Basic "))
        #expect(redacted.contains("[secret token]"))
        #expect(redacted.hasSuffix(" end"))
        // The remaining digits decode to no part of the value.
        #expect(redacted.utf8.count <= 10 + 16 + (before.utf8.count + after.utf8.count + 6) * 2)
      }
    }
  }

  /// Encodes by the definition of RFC 4648 section 6: five bits per digit, padded to eight digits.
  private static func base32(_ text: String) -> String {
    let bits = text.utf8.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var result = ""
    for start in stride(from: 0, to: bits.count, by: 5) {
      let group = bits[start..<min(start + 5, bits.count)]
      let value = group.reduce(0) { $0 << 1 | Int($1) } << (5 - group.count)
      result.append(digits[value])
    }
    return result + String(repeating: "=", count: (8 - result.count % 8) % 8)
  }

  @Test func `base32 follows its standard`() {
    #expect(Self.base32("foobar") == "MZXW6YTBOI======")
  }

  @Test(arguments: ["", "u", "us", "use", "user", "user:", "a longer user:"])
  func `a value is found in base32, whatever surrounds it`(before: String) {
    let redactor = Self.redactor("correct horse battery")
    for after in ["", ".", "..", "...", "....", "....."] {
      let encoded = Self.base32("\(before)correct horse battery\(after)")
      for text in [encoded, encoded.lowercased(), encoded.filter { $0 != "=" }] {
        let redacted = redactor.redacted("key \(text) end")
        #expect(redacted.hasPrefix("key "))
        #expect(redacted.contains("[secret token]"))
        #expect(redacted.hasSuffix(" end"))
        // No digit that depends only on the value remains. The value has at least 32 such digits.
        #expect(redacted.utf8.count <= text.utf8.count + 8 + 14 - 32)
      }
    }
  }

  @Test
  func
    `a value of four bytes is found in hexadecimal and base32 if nothing else is encoded with it`()
  {
    let redactor = Self.redactor("pass")
    #expect(
      redactor.redacted("70617373 OBQXG4Y= obqxg4y")
        == "[secret token] [secret token]= [secret token]")
  }

  @Test func `a text with only the beginning of a value stays unchanged`() {
    let redactor = Self.redactor("hunter22")
    for text in [
      "%", "%2", "%25", "%2568", "%25682", "h", "hunter2", "68756e7465723", "NB2W45DFOIZ",
    ] {
      #expect(redactor.redacted(text) == text)
    }
  }

  @Test func `a short password is found in its own basic credentials`() {
    var redactor = Redactor()
    redactor.add(user: "ann", password: SecretValue("pass"), named: "password")
    #expect(redactor.redacted("Basic YW5uOnBhc3M=") == "Basic [secret password]=")
  }

  @Test func `a truncated value is found by its beginning`() {
    let redactor = Self.redactor("0123456789abcdef")
    #expect(redactor.redacted("at 01234567") == "at [secret token]")
    #expect(redactor.redacted("at 0123456789...") == "at [secret token]...")
    #expect(redactor.redacted("at 0123456789… and on") == "at [secret token]… and on")
    #expect(redactor.redacted("at 0123456") == "at 0123456")
    #expect(redactor.redacted("at 0123456789 and on") == "at 0123456789 and on")
  }

  @Test func `a value that the user has also written in clear is not secret`() {
    var redactor = Redactor(clear: ["minioadmin", "https://a.example/?key=0123456789", "abc 1234"])
    redactor.add(SecretValue("minioadmin"), named: "equal")
    redactor.add(SecretValue("01234567"), named: "part")
    redactor.add(user: "ann", password: SecretValue("minioadmin"), named: "pair")
    #expect(redactor.isEmpty)
    // A short value also occurs in other texts by chance.
    redactor.add(SecretValue("1234"), named: "short")
    redactor.add(SecretValue("minioadmin2"), named: "other")
    #expect(
      redactor.redacted("minioadmin minioadmin2 01234567 1234")
        == "minioadmin [secret other] 0[secret short]567 [secret short]")
  }

  @Test func `all texts and numbers of an option count as written in clear`() {
    let value: Value = ["a": ["b", 12, true, nil], "c": 1.5, "d": "e"]
    #expect(value.scalarTexts == ["b", "12", "1.5", "e"])
  }

  @Test func `of two overlapping values the longer one is found, at each of its places`() {
    var redactor = Self.redactor("abcd", name: "short")
    redactor.add(SecretValue("abcdefgh"), named: "long")
    #expect(
      redactor.redacted("abcdefgh abcdx abcd") == "[secret long] [secret short]x [secret short]")
  }

  @Test func `a value of fewer than four bytes is ignored`() {
    #expect(Self.redactor("abc").redacted("abc abcabc") == "abc abcabc")
    #expect(Self.redactor("abc").isEmpty)
  }

  @Test func `items, states, failures and log lines are redacted in every part`() throws {
    let redactor = Self.redactor("hunter22")
    var item = ParsedItem()
    item.id = "id hunter22"
    item.title = "hunter22"
    item.url = "https://a.example/?k=hunter22"
    item.summary = "s hunter22"
    item.content = "c hunter22"
    item.author = "hunter22"
    item.published = "hunter22"
    item.updated = "hunter22"
    item.tags = ["a", "hunter22"]
    item.fields = ValueObject([("hunter22", ["deep": [.string("x hunter22")]])])
    var wanted = ParsedItem()
    wanted.id = "id [secret token]"
    wanted.title = "[secret token]"
    wanted.url = "https://a.example/?k=[secret token]"
    wanted.summary = "s [secret token]"
    wanted.content = "c [secret token]"
    wanted.author = "[secret token]"
    wanted.published = "[secret token]"
    wanted.updated = "[secret token]"
    wanted.tags = ["a", "[secret token]"]
    wanted.fields = ValueObject([("[secret token]", ["deep": [.string("x [secret token]")]])])
    #expect(redactor.redacted(item) == wanted)
    #expect(
      redactor.redacted(.bytes(Array("\u{1}hunter22".utf8)))
        == .bytes(Array("\u{1}[secret token]".utf8)))
    let failure = Failure(
      .pluginError, "got hunter22", file: "hunter22.lua", traceback: ["in 'hunter22'"])
    #expect(
      redactor.redacted(failure)
        == Failure(
          .pluginError, "got [secret token]", file: "[secret token].lua",
          traceback: ["in '[secret token]'"]))
    #expect(redactor.redacted(LogLine(.info, "hunter22")) == LogLine(.info, "[secret token]"))
  }

  @Test func `keys that become equal by redaction are merged`() {
    let object = ValueObject([
      ("hunter22", 1), ("other", 2), ("aHVudGVyMjI", 3), ("hunter22 too", 4),
      ("[secret token]", 5),
    ])
    #expect(
      Self.redactor("hunter22").redacted(object).members.map(\.key)
        == ["[secret token]", "other", "[secret token] too"])
  }

  @Test func `a number that equals the value is found in lists, objects, items and states`() {
    let redactor = Self.redactor("12345678")
    let shown: Value = "[secret token]"
    #expect(redactor.redacted(Value.integer(12_345_678)) == shown)
    #expect(redactor.redacted(Value.number(12_345_678.0)) == shown)
    #expect(
      redactor.redacted(["n": [1, .number(12_345_678), ["deep": 12_345_678]]] as Value)
        == ["n": [1, shown, ["deep": shown]]])
    let state = ValueObject([("n", 12_345_678)])
    #expect(redactor.redacted(state) == ValueObject([("n", shown)]))
    var item = ParsedItem()
    item.fields = state
    #expect(redactor.redacted(item).fields == ValueObject([("n", shown)]))
  }

  @Test func `a number that only contains the value's digits is another number`() {
    let redactor = Self.redactor("12345678")
    let others: [Value] = [123_456_789, .integer(-12_345_678), .number(12_345_678.5), 1]
    for other in others + [.number(.nan)] {
      let kept = redactor.redacted(other)
      if case .string = kept { Issue.record("\(other) became \(kept)") }
    }
  }

  @Test func `a float and a number beyond 64 bits are found`() {
    #expect(Self.redactor("1234.5").redacted(Value.number(1234.5)) == "[secret token]")
    let long = "123456789012345678901234"
    let read = Value.number(1.2345678901234568e23)
    #expect(Self.redactor(long).redacted(read) == "[secret token]")
  }

  @Test func `sent data is searched only for secrets of at least eight bytes`() {
    var redactor = Self.redactor("12345678", name: "long")
    redactor.add(SecretValue("1234"), named: "short")
    let sent = Array("?a=1234&b=%3112345678".utf8)
    #expect(redactor.name(in: sent) { _ in true } == "long")
    #expect(redactor.name(in: sent) { $0 == "short" } == nil)
    #expect(redactor.name(in: Array("?a=1234".utf8)) { _ in true } == nil)
  }

  @Test func `the description of a value does not show it`() {
    let value = SecretValue("hunter22")
    var dumped = ""
    dump([value], to: &dumped)
    for text in ["\(value)", "\([value])", String(reflecting: value), dumped] {
      #expect(!text.contains("hunter22"))
    }
  }
}
