import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct RunRecordTests {
  private let started = Timestamp(milliseconds: 1_795_168_800_123)

  private func record(_ outcome: Outcome) -> RunRecord {
    RunRecord(
      run: RunID(startedAt: started, random: (1, 2)), job: "reuters", plugin: "reuters",
      trigger: .manual, outcome: outcome, startedAt: started)
  }

  @Test func `the line of a run with news has exactly these bytes`() {
    var record = record(.newData(ChangeCounts(added: 12, updated: 1)))
    record.duration = .milliseconds(420)
    record.cpu = .microseconds(4012)
    record.requestCount = 1
    record.receivedBytes = 30_211
    record.nextDueAt = Timestamp(milliseconds: 1_795_169_700_999)
    #expect(
      record.json == """
        {"run":"\(record.run)","job":"reuters","plugin":"reuters","trigger":"manual",\
        "outcome":"newData","reason":null,"added":12,"updated":1,"removed":0,\
        "startedAt":"2026-11-20T10:00:00.123Z","durationSeconds":0.42,"cpuSeconds":0.004,\
        "requests":1,"receivedBytes":30211,"failure":null,"nextDueAt":"2026-11-20T10:15:00Z"}
        """)
  }

  @Test func `a failure has its file and line if they are known`() {
    let failure = Failure(.pluginError, "a \"quoted\"\nmessage", file: "rss.lua", line: 3)
    #expect(
      record(.failed(failure)).json.contains(
        """
        "failure":{"code":"pluginError","message":"a \\"quoted\\"\\nmessage",\
        "retryable":false,"file":"rss.lua","line":3},"nextDueAt":null}
        """))
    #expect(
      Failure(.tls, "no", retryable: true).json
        == "{\"code\":\"tls\",\"message\":\"no\",\"retryable\":true}")
  }

  @Test func `the check that found nothing new is the reason`() {
    #expect(record(.noData(.notModified)).json.contains("\"reason\":\"notModified\",\"added\":0"))
  }

  @Test(arguments: [
    (Duration.zero, "0"), (.milliseconds(1), "0.001"), (.microseconds(499), "0"),
    (.microseconds(1500), "0.002"), (.seconds(3), "3"), (.milliseconds(1999), "1.999"),
    (.microseconds(999_999), "1"), (.milliseconds(60_100), "60.1"), (.milliseconds(-20), "-0.02"),
  ]) func `durations are short decimal seconds`(duration: Duration, text: String) {
    #expect(duration.decimalSeconds(fractionDigits: 3) == text)
  }
}

@Suite struct RunIDTests {
  @Test func `the text of an id is a UUID of version 7 and variant 10 with the time`() {
    let id = RunID(
      startedAt: Timestamp(milliseconds: 0x017F_22E2_79B0), random: (.max, .max))
    #expect(id.description == "017f22e2-79b0-7fff-bfff-ffffffffffff")
    #expect(id.startedAt == Timestamp(milliseconds: 0x017F_22E2_79B0))
  }

  @Test func `ids sort by time`() {
    let early = RunID(startedAt: Timestamp(milliseconds: 1), random: (.max, .max))
    let late = RunID(startedAt: Timestamp(milliseconds: 2), random: (0, 0))
    #expect(early < late && early.description < late.description)
  }

  @Test func `text and bytes are read back`() {
    let id = RunID(startedAt: Timestamp(milliseconds: 77), random: (12, 34))
    #expect(RunID(id.description) == id)
    #expect(RunID(id.description.uppercased()) == id)
    #expect(RunID(bytes: id.bytes) == id)
  }

  @Test(arguments: [
    "", "x", "017f22e2-79b0-7fff-bfff-fffffffffff", "017f22e279b0-7fff-bfff-ffffffffffff0",
  ])
  func `other texts are not ids`(text: String) { #expect(RunID(text) == nil) }
}
