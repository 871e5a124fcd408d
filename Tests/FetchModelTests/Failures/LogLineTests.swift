import FetchModel
import FetchValues
import Testing

@Suite struct LogLineTests {
  @Test func `equal lines become one line with a count, at the place of the first one`() {
    let lines =
      [LogLine(.info, "begun")] + Array(repeating: LogLine(.warning, "refused"), count: 40)
      + [LogLine(.error, "refused"), LogLine(.info, "done"), LogLine(.warning, "refused")]
    #expect(
      LogLine.counted(lines) == [
        LogLine(.info, "begun"), LogLine(.warning, "refused (41 times)"),
        LogLine(.error, "refused"), LogLine(.info, "done"),
      ])
  }

  @Test func `lines with different bytes are different lines`() {
    let lines = [LogLine(.info, "\u{E9}"), LogLine(.info, "e\u{301}"), LogLine(.info, "")]
    #expect(LogLine.counted(lines) == lines)
    #expect(LogLine.counted([]) == [])
  }
}
