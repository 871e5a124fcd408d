import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the log line about a delivery.
@Suite struct DeliveryLogTests {
  private static func delivery(_ event: DeliveryEvent, items: Int) -> Delivery {
    let list = Array(repeating: "{\"id\":\"1\"}", count: items).joined(separator: ",")
    return Delivery(
      id: 1, hook: "chat", job: "news", event: event, payload: "{\"items\":[\(list)]}", key: "k",
      createdAt: Timestamp(seconds: 0))
  }

  private static let batches: [([Delivery], Bool, String)] = [
    ([delivery(.newData, items: 1)], false, "newData of news, 1 item,"),
    ([delivery(.newData, items: 3)], false, "newData of news, 3 items,"),
    ([delivery(.failed, items: 0)], false, "failed of news,"),
    ([delivery(.newData, items: 2)], true, "a digest of 1 delivery, 2 items,"),
    (
      [delivery(.newData, items: 2), delivery(.stale, items: 0)], true,
      "a digest of 2 deliveries, 2 items,"
    ),
  ]

  @Test(arguments: batches) func `the line names the hook, the content and the receiver`(
    deliveries: [Delivery], isDigest: Bool, content: String
  ) throws {
    let batch = try #require(DeliveryBatch(deliveries, isDigest: isDigest))
    #expect(
      batch.sentence(deliveredTo: "a.example") == "hook 'chat': delivered \(content) to a.example")
  }

  private static let sinks: [(HookSink, String)] = [
    (
      .webhook(WebhookSettings(url: "https://hooks.example.org/s3cret?t=1")), "hooks.example.org"
    ),
    (.webhook(WebhookSettings(url: "no address")), "webhook"),
    (
      .email(EmailSettings(server: "smtp://mail.example.org:587", from: "", to: [])),
      "mail.example.org"
    ),
    (.email(EmailSettings(server: "smtps://[::1]:465", from: "", to: [])), "[::1]"),
    (.email(EmailSettings(server: "", from: "", to: [])), ""),
    (.file(FeedFileSettings(path: "/srv/news.xml")), "/srv/news.xml"),
    (.command(CommandSettings(words: ["/usr/bin/notify", "s3cret"])), "notify"),
    (.command(CommandSettings(words: [])), "command"),
    (.lua(LuaHookSettings(file: "./hooks/post.lua")), "post.lua"),
  ]

  @Test(arguments: sinks) func `a receiver is named without secrets in its address`(
    sink: HookSink, name: String
  ) {
    #expect(sink.receiver == name)
  }
}
