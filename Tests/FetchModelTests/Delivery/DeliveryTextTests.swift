import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the text of deliveries for people: in subjects, in mail, and in `{{text}}`.
@Suite struct DeliveryTextTests {
  private func delivery(_ event: DeliveryEvent, _ payload: Value) -> Delivery {
    Delivery(
      id: 1, hook: "desk", job: "ships", event: event,
      payload: (try? JSONWriter.text(payload)) ?? "", key: "k",
      createdAt: Timestamp(seconds: 1_800_000_000))
  }

  private func texts(
    _ event: DeliveryEvent, _ payload: Value
  ) throws -> (subject: String, body: String) {
    let batch = try #require(DeliveryBatch([delivery(event, payload)]))
    return (DeliveryText.subject(of: batch), DeliveryText.body(of: batch))
  }

  static let cases: [(event: DeliveryEvent, payload: Value, subject: String, body: String)] = [
    (.noData, [:], "ships has nothing new", "ships has nothing new."),
    (
      .failed, ["failures": 3, "run": ["failure": ["message": "answered 500"]]], "ships fails",
      "ships failed 3 times in a row: answered 500."
    ),
    (
      .failed, ["failures": 1, "run": ["failure": ["message": "no"]]], "ships fails",
      "ships failed 1 time in a row: no."
    ),
    (
      .recovered, ["failures": 4], "ships works again",
      "ships works again after 4 failures."
    ),
    (
      .stale, ["stale": ["what": "success", "since": "2026-11-20T10:00:00.000Z"]],
      "ships is stale", "No run of ships has succeeded since 2026-11-20T10:00:00.000Z."
    ),
    (
      .stale, ["stale": ["what": "newData", "since": "2026-11-20T10:00:00.000Z"]],
      "ships is quiet", "ships has found nothing new since 2026-11-20T10:00:00.000Z."
    ),
  ]

  @Test(arguments: cases.indices) func `each event of a job has its own text`(index: Int) throws {
    let expected = Self.cases[index]
    let texts = try texts(expected.event, expected.payload)
    #expect(texts.subject == expected.subject)
    #expect(texts.body == expected.body)
  }

  @Test func `an item of news is named by title, otherwise by address, otherwise by id`() throws {
    let items: [Value] = [
      [
        "change": "added", "title": "Ever Given", "url": "https://a.test/1",
        "fields": ["summary": "400 m"],
      ],
      ["change": "updated", "title": nil, "url": "https://a.test/2"],
      ["change": "removed", "title": nil, "url": nil, "id": "three"],
    ]
    let all = try texts(.newData, ["items": .array(items)])
    #expect(all.subject == "ships: 3 items")
    #expect(
      all.body == """
        ships, added: Ever Given
        https://a.test/1
        400 m

        ships, updated: https://a.test/2
        https://a.test/2

        ships, removed: three
        """)
    #expect(try texts(.newData, ["items": [items[2]]]).subject == "ships: three")
  }

  @Test func `a digest counts its items, or its messages if there are none`() throws {
    let news = delivery(.newData, ["items": [["title": "One"], ["title": "Two"]]])
    let failed = delivery(.failed, ["failures": 3, "run": ["failure": ["message": "no"]]])
    let mixed = try #require(DeliveryBatch([news, failed], isDigest: true))
    #expect(DeliveryText.subject(of: mixed) == "2 items of desk")
    #expect(
      DeliveryText.body(of: mixed) == """
        ships, added: One

        ships, added: Two

        ships failed 3 times in a row: no.
        """)
    let trouble = try #require(DeliveryBatch([failed, failed], isDigest: true))
    #expect(DeliveryText.subject(of: trouble) == "2 messages")
  }
}
