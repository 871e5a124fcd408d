import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct DeliveryRuleTests {
  static let now = Items.now + .seconds(1)

  private func hook(
    _ name: HookName = "chat", on events: Set<HookEvent> = [.added],
    _ change: (inout HookConfig) -> Void = { _ in }
  ) -> HookConfig {
    var hook = HookConfig(name: name, sink: .command(CommandSettings(words: ["true"])))
    hook.events = events
    change(&hook)
    return hook
  }

  private func record(_ outcome: Outcome = .newData(ChangeCounts(added: 1))) -> RunRecord {
    RunRecord(
      run: RunID(startedAt: Items.now, random: (1, 2)), job: "news", plugin: "rss",
      trigger: .schedule, outcome: outcome, startedAt: Items.now)
  }

  private func rows(
    _ hooks: [HookConfig], _ changes: [ItemChange] = [], outcome: Outcome? = nil, part: Int = 0,
    isEnd: Bool = true, failures: (Int, Int)? = nil
  ) -> [NewDelivery] {
    let outcome = outcome ?? .newData(ChangeCounts(added: changes.count))
    return DeliveryRule(hooks: hooks, record: record(outcome), now: Self.now).deliveries(
      of: changes, part: part, isEnd: isEnd,
      history: failures.map { DeliveryHistory(failuresBefore: $0.0, failuresAfter: $0.1) })
  }

  private func changes(_ count: Int) -> [ItemChange] {
    let items = (0..<count).map { Items.make(id: "\($0)", title: "Item \($0)") }
    return Items.decide(items, known: KnownItems()).changes.sorted {
      $0.key.text < $1.key.text
    }
  }

  @Test func `the payload has exactly these bytes`() {
    let rows = rows([hook()], changes(2))
    let run = record(.newData(ChangeCounts(added: 2))).json
    let key = "\(record().run)_chat_0_0"
    func item(_ number: Int) -> String {
      #"{"sequence":\#(40 + number),"job":"news","id":"\#(number)","change":"added","#
        + #""title":"Item \#(number)","url":null,"publishedAt":null,"#
        + #""seenAt":"2027-01-15T08:00:00.000Z","fields":{}}"#
    }
    #expect(rows.count == 1)
    #expect(
      rows[0].text
        == #"{"id":"\#(key)","hook":"chat","event":"newData","job":"news","#
        + #""at":"2027-01-15T08:00:01.000Z","run":\#(run),"items":[\#(item(0)),\#(item(1))]}"#)
    #expect(rows[0].key == key)
    #expect(rows[0].notBefore == nil)
  }

  @Test func `the same run gives the same rows, each with its own key`() {
    let hooks = [hook("a") { $0.batching = .each }, hook("b"), hook("c", on: [.noData])]
    let first = rows(hooks, changes(5)) + rows(hooks, changes(5), part: 1)
    #expect(first == rows(hooks, changes(5)) + rows(hooks, changes(5), part: 1))
    #expect(Set(first.map(\.key)).count == first.count)
    #expect(first.map(\.hook) == ["a", "a", "a", "a", "a", "b", "a", "a", "a", "a", "a", "b"])
  }

  @Test func `a hook gets only its own jobs, plugins, events and items`() throws {
    let filter = try ItemFilter(parsing: "title == 'Item 1'")
    let hooks = [
      hook("job") { $0.scope = .jobs(["news"]) }, hook("other") { $0.scope = .jobs(["weather"]) },
      hook("plugin") { $0.scope = .plugins(["rss"]) },
      hook("another") { $0.scope = .plugins(["json-api"]) }, hook("updates", on: [.updated]),
      hook("one") { $0.filter = filter },
      hook("none") { $0.filter = try? ItemFilter(parsing: "false") },
    ]
    let rows = rows(hooks, changes(3))
    #expect(rows.map(\.hook) == ["job", "plugin", "one"])
    #expect(rows[2].text.contains("Item 1"))
    #expect(!rows[2].text.contains("Item 2"))
  }

  @Test func `a long list of items is delivered in parts`() {
    let rows = rows([hook()], changes(DeliveryRule.itemsMax + 1))
    #expect(rows.count == 2)
    #expect(rows.map { $0.key.hasSuffix("_0") } == [true, false])
  }

  @Test func `a removed item is delivered with its id and its last title, if the hook wants it`() {
    var gone = changes(2)
    gone[0].kind = .removed
    gone[0].item = nil
    let rows = rows([hook("a", on: [.removed]), hook("b"), hook("c", on: [.updated])], gone)
    #expect(rows.map(\.hook) == ["a", "b"])
    #expect(rows[0].event == .newData)
    #expect(
      rows[0].text.hasSuffix(
        #""items":[{"sequence":40,"job":"news","id":"0","change":"removed","title":null,"#
          + #""url":null,"publishedAt":null,"seenAt":"2027-01-15T08:00:00.000Z","fields":{}}]}"#))
    #expect(!rows[1].text.contains("removed\",\"title"))
    gone[0].last = LastVersion(title: "Item 0", url: "https://a.test/0")
    #expect(
      self.rows([hook("a", on: [.removed])], gone)[0].text.hasSuffix(
        #""items":[{"sequence":40,"job":"news","id":"0","change":"removed","title":"Item 0","#
          + #""url":"https://a.test/0","publishedAt":null,"#
          + #""seenAt":"2027-01-15T08:00:00.000Z","fields":{}}]}"#))
  }

  @Test func `baseline items are not news`() {
    var quiet = changes(3)
    for index in quiet.indices { quiet[index].kind = .baseline }
    #expect(rows([hook(on: [.added, .updated, .removed])], quiet).isEmpty)
  }

  @Test func `failure is reported the third time in a row, and recovery once`() {
    let hooks = [hook(on: [.failed, .recovered, .noData])]
    let failed = Outcome.failed(Failure(.httpStatus, "503", retryable: true))
    var told: [DeliveryEvent?] = []
    for count in 1...5 {
      told.append(rows(hooks, outcome: failed, failures: (count - 1, count)).first?.event)
    }
    #expect(told == [nil, nil, .failed, nil, nil])
    let healed = rows(hooks, outcome: .noData(.empty), failures: (5, 0))
    #expect(healed.map(\.event) == [.recovered, .noData])
    #expect(healed[0].text.contains(#""failures":5,"#))
    #expect(rows([hook(on: [.recovered])], outcome: .noData(.empty), failures: (2, 0)).isEmpty)
    // These failures do not count, as in a run without a network.
    #expect(rows(hooks, outcome: failed, failures: (2, 2)).isEmpty)
    #expect(rows(hooks, outcome: failed, failures: (3, 3)).isEmpty)
  }

  @Test func `a part of a run reports only its items`() {
    let hooks = [hook(on: [.added, .noData, .recovered])]
    let rows = rows(hooks, changes(1), part: 2, isEnd: false, failures: (3, 0))
    #expect(rows.map(\.event) == [.newData])
    #expect(rows[0].key.hasSuffix("_chat_2_0"))
  }

  @Test(arguments: [(0, 3600), (1, 3600), (3599, 3600), (3600, 7200)])
  func `digests end at whole multiples of their length`(second: Int64, end: Int64) {
    let hook = hook { $0.batching = .digest(.seconds(3600)) }
    #expect(hook.notBefore(Timestamp(seconds: second)) == Timestamp(seconds: end))
  }
}

extension NewDelivery {
  /// The payload, in which the first change has the sequence 40.
  fileprivate var text: String { payload.text(firstSequence: 40) }
}
