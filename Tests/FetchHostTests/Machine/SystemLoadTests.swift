import FetchHost
import FetchTestSupport
import Testing

@Suite struct SystemLoadTests {
  @Test(
    arguments: [
      ("0.52 0.58 0.59 1/597 12345\n", 0.52), ("12.00 1 1 1/1 1", 12), ("", nil), ("x 1 1", nil),
      ("-1 0 0", nil), ("nan 0 0", nil),
    ] as [(String, Double?)])
  func `the load of the last minute is the first number`(text: String, load: Double?) throws {
    let path = try TemporaryFolder.make("load") + "/loadavg"
    try TemporaryFolder.write(text, to: path)
    #expect(SystemLoad.lastMinute(path: path) == load)
  }

  @Test func `the load of this machine can be read`() { #expect(SystemLoad.lastMinute() != nil) }

  @Test func `an unreadable file gives no load`() {
    #expect(SystemLoad.lastMinute(path: "/nowhere") == nil)
  }
}
