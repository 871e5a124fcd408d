import FetchModel
import FetchValues
import Testing

@Suite struct ResumeRulePropertyTests {
  /// A client that follows the rule exactly, on bytes in memory.
  private struct Client {
    var download = PartialDownload()
    var bytes: [UInt8] = []
    var requestCount = 0
    /// The total number of bytes of all received bodies.
    var takenCount = 0

    /// Sends one request to the server. Returns whether the file is complete by the rule.
    mutating func ask(_ server: inout LyingServer) -> Bool {
      requestCount += 1
      if download.offset == 0 {
        bytes = []
        download.receivedBytes = 0
      }
      let answer = server.answer(ResumeRule.headers(download))
      let outcome = ResumeRule.outcome(
        status: answer.status, fields: answer.fields, of: download,
        url: "https://a.example/file", now: Timestamp(seconds: 1_795_000_000))
      download = outcome.download
      var limit = Int64.max
      switch outcome.decision {
      case .append(let end): limit = end
      case .replace:
        bytes = []
        limit = download.totalBytes ?? .max
      case .complete: return true
      case .askForWhole:
        bytes = []
        return false
      case .fail: return false
      }
      let room = max(0, Int(clamping: limit) - bytes.count)
      bytes += answer.body.prefix(room)
      takenCount += min(room, answer.body.count)
      download.receivedBytes = Int64(bytes.count)
      // A truncated body of unknown length looks complete, so only files with a known length count.
      return download.totalBytes == download.receivedBytes
    }
  }

  @Test(arguments: 1...300)
  func `any server's answers give one version of its file`(seed: Int) {
    var server = LyingServer(seed: UInt64(seed))
    var client = Client()
    var isComplete = false
    while !isComplete, client.requestCount < 400 { isComplete = client.ask(&server) }
    guard isComplete else { return }
    #expect(server.versions.contains(client.bytes))
  }

  @Test(arguments: 1...50) func `with an honest server, each byte is sent about once`(seed: Int) {
    var server = LyingServer(seed: UInt64(seed))
    server.liePercent = 0
    server.changePercent = 0
    server.ignoresRanges = false
    var client = Client()
    while client.requestCount < 500, !client.ask(&server) {}
    #expect(client.bytes == server.current)
    #expect(client.takenCount == server.current.count)
  }
}
