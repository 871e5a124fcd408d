import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the wire formats of deliveries.
@Suite struct DeliveryFormTests {
  static func batch(_ titles: [String], event: DeliveryEvent = .newData) -> DeliveryBatch {
    let items = titles.enumerated().map { index, title -> Value in
      [
        "sequence": .integer(Int64(index)), "job": "news", "id": .string("id \(index)"),
        "change": "added", "title": .string(title), "url": "https://a.test/x?a=1&b=2",
        "publishedAt": "2026-11-20T10:00:00Z", "seenAt": "2026-11-21T10:00:00.000Z",
        "fields": ["content": "<p>A & B</p>"],
      ]
    }
    let payload: Value = ["items": .array(items)]
    let delivery = Delivery(
      id: 1, hook: "chat", job: "news", event: event,
      payload: (try? JSONWriter.text(payload)) ?? "", key: "run_chat_0_0",
      createdAt: Timestamp(seconds: 1_800_000_000))
    return DeliveryBatch([delivery]) ?? Self.batch([])
  }

  /// The expected values are the example of the specification.
  @Test func `webhooks are signed as Standard Webhooks specifies`() {
    let key = StandardWebhook.key(SecretValue("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let fields = StandardWebhook.fields(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: Timestamp(seconds: 1_614_265_330),
      body: Array(#"{"test": 2432232314}"#.utf8), key: key)
    #expect(
      fields == [
        HTTPField("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek"),
        HTTPField("webhook-timestamp", "1614265330"),
        HTTPField("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
      ])
    #expect(StandardWebhook.key(SecretValue("plain")) == Array("plain".utf8))
  }

  @Test func `no title can add a line to a mail's subject`() {
    let message = MailMessage(
      from: "a@b.test", to: ["c@d.test", "e@f.test"],
      subject: "x\r\nBcc: evil@e.test\r\n\r\nbody", body: "one\ntwo\r\n.\nthree", key: "k_1",
      sentAt: Timestamp(seconds: 1_800_000_000))
    let text = String(decoding: message.bytes, as: UTF8.self)
    let lines = text.components(separatedBy: "\r\n")
    #expect(
      lines.prefix(11) == [
        "From: <a@b.test>", "To: <c@d.test>,", " <e@f.test>",
        "Subject: x  Bcc: evil@e.test    body", "Date: Fri, 15 Jan 2027 08:00:00 +0000",
        "Message-ID: <k_1@b.test>", "Idempotency-Key: k_1", "Auto-Submitted: auto-generated",
        "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: base64",
      ])
    #expect(lines[11] == "")
    #expect(
      Data(base64Encoded: lines[12...].joined()).map { String(decoding: $0, as: UTF8.self) }
        == "one\r\ntwo\r\n.\r\nthree\r\n")
    let rest = text.replacing("\r\n", with: "")
    #expect(!rest.utf8.contains(13) && !rest.utf8.contains(10))
  }

  @Test func `long subjects in any script are encoded in words of whole characters`() {
    let subject = String(repeating: "Grüße 日本 🚀 ", count: 20)
    let message = MailMessage(
      from: "a@b.test", to: ["c@d.test"], subject: subject, body: "", key: "k",
      sentAt: Timestamp(seconds: 0))
    let text = String(decoding: message.bytes, as: UTF8.self)
    let head = text.components(separatedBy: "\r\n\r\n")[0]
    #expect(head.utf8.allSatisfy { $0 < 128 })
    #expect(head.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 76 })
    let words = head.matches(of: /=\?utf-8\?B\?([A-Za-z0-9+\/=]+)\?=/).map { String($0.1) }
    let decoded = words.compactMap { word in
      Data(base64Encoded: word).flatMap { String(validating: $0, as: UTF8.self) }
    }
    #expect(decoded.count == words.count)
    #expect(decoded.joined() == subject)
  }

  @Test(arguments: [
    ("{{count}} of {{job}}", "2 of news"), ("{{title}}", "A \"b\""),
    ("{\"t\": {{json:title}}}", #"{"t": "A \"b\""}"#), ("{{item.content}}!", "<p>A & B</p>!"),
    ("{{ hook }}/{{event}}/{{id}}", "chat/newData/run_chat_0_0"), ("{{item.none}}", ""),
    ("{ {{url}} }", "{ https://a.test/x?a=1&b=2 }"),
  ]) func `a template is filled in`(template: String, text: String) throws {
    let filled = try DeliveryTemplate(parsing: template).text(of: Self.batch(["A \"b\"", "C"]))
    #expect(filled == text)
  }

  @Test func `hostile titles do not change a feed's document`() throws {
    let items = Self.batch(["</title><script>&\u{0}\u{B}\u{FFFE}]]>", "ok"]).items
    let feed = WrittenFeed(
      title: "A & <B>", url: "https://a.test/feed", items: items,
      updatedAt: Timestamp(seconds: 1_800_000_000))
    for format in [FeedFileSettings.Format.rss, .atom] {
      let text = feed.text(as: format)
      #expect(text.contains("&lt;/title&gt;&lt;script&gt;&amp;]]&gt;"))
      #expect(text.contains("A &amp; &lt;B&gt;"))
      #expect(text.contains("https://a.test/x?a=1&amp;b=2"))
      #expect(text.contains("urn:fetchrun:news:id%200"))
      #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
    }
    let json = try JSONReader.decode(feed.text(as: .jsonfeed))
    #expect(json["version"] == "https://jsonfeed.org/version/1.1")
    #expect(json["items"]?.arrayValue?.count == 2)
  }

  /// RFC 4287, section 4.1.2, requires a link or content.
  @Test func `an entry of Atom has a link or content`() {
    let items = [
      ValueObject([("job", "news"), ("id", "1"), ("title", "bare")]),
      ValueObject([("job", "news"), ("id", "2"), ("url", "https://a.test/2")]),
      ValueObject([("job", "news"), ("id", "3"), ("url", "javascript:alert(1)")]),
    ]
    let feed = WrittenFeed(
      title: "A", url: nil, items: items, updatedAt: Timestamp(seconds: 1_800_000_000))
    let entries = feed.text(as: .atom).components(separatedBy: "<entry>").dropFirst()
    #expect(entries.map { $0.contains("<content type=\"html\">") } == [true, false, true])
    #expect(entries.map { $0.contains("<link href") } == [false, true, false])
  }

  @Test func `a digest is one object with all its deliveries`() throws {
    let one = Self.batch(["a"]).deliveries[0]
    let batch = try #require(DeliveryBatch([one, one], isDigest: true))
    #expect(
      batch.json
        == #"{"id":"run_chat_0_0","hook":"chat","event":"digest","at":"2027-01-15T08:00:00.000Z","#
        + #""deliveries":[\#(one.payload),\#(one.payload)]}"#)
    #expect(DeliveryText.subject(of: batch) == "2 items of chat")
    #expect(DeliveryText.subject(of: Self.batch(["Hello"])) == "news: Hello")
  }
}
