import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

@testable import FetchConfig

struct SystemZonesTests {
  @Test func `the system's zones have their daylight saving times`() throws {
    let berlin = try #require(SystemZones.zone(named: "Europe/Berlin"))
    #expect(berlin.secondsEast(Timestamp(seconds: 1_782_864_000)) == 7200)
    #expect(berlin.secondsEast(Timestamp(seconds: 1_767_225_600)) == 3600)
    let daily = try CronLine(parsing: "30 2 * * *")
    let start = try #require(Timestamp(rfc3339: "2026-03-28T12:00:00Z"))
    #expect(
      daily.next(after: start, zone: berlin)?.descriptionInSeconds == "2026-03-29T01:00:00Z")
  }

  @Test(arguments: ["Europe/Belin", "", "/etc/passwd", "../../etc/passwd", "Europe/", "Europe"])
  func `an unknown name has no zone`(name: String) {
    #expect(SystemZones.zone(named: name) == nil)
  }

  @Test func `UTC is a known zone, and the names have each place`() {
    #expect(SystemZones.zone(named: "UTC")?.secondsEast(Timestamp(seconds: 0)) == 0)
    #expect(Set(SystemZones.names).isSuperset(of: ["UTC", "Europe/Berlin", "Asia/Kolkata"]))
  }

  /// GNU date and glibc read the same files with code of their own.
  @Test(arguments: [
    "Europe/Berlin", "Europe/Dublin", "America/New_York", "America/St_Johns", "America/Nuuk",
    "America/Sao_Paulo", "Africa/Casablanca", "Africa/Cairo", "Asia/Tehran", "Asia/Kolkata",
    "Asia/Gaza", "Asia/Pyongyang", "Pacific/Apia", "Pacific/Auckland", "Australia/Lord_Howe",
    "Antarctica/Troll", "Etc/GMT+12",
  ])
  func `offsets equal those of GNU date, from 1900 to 2400`(name: String) throws {
    var random = SeededGenerator(seed: 7)
    let times = (0..<400).map { _ in
      Int64.random(in: -2_208_988_800...13_569_465_600, using: &random)
    }
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/date")
    process.arguments = ["-f", "-", "+%:::z"]
    process.environment = ["TZ": name, "LC_ALL": "C"]
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(
      contentsOf: Data(times.map { "@\($0)\n" }.joined().utf8))
    try input.fileHandleForWriting.close()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let expected = String(decoding: data, as: UTF8.self).split(separator: "\n").map(Self.seconds)
    let zone = try #require(SystemZones.zone(named: name))
    #expect(times.map { zone.secondsEast(Timestamp(seconds: $0)) } == expected)
  }

  /// Returns the seconds of an offset such as `+05:30`, `-03` or `+00:53:28`.
  private static func seconds(_ text: Substring) -> Int {
    let parts = text.dropFirst().split(separator: ":").map { Int($0) ?? 0 } + [0, 0]
    let sum = parts[0] * 3600 + parts[1] * 60 + parts[2]
    return text.hasPrefix("-") ? -sum : sum
  }

  @Test func `a rule has its changes in local time, also south of the equator`() throws {
    let berlin = try #require(ZoneRule(posix: Array("CET-1CEST,M3.5.0,M10.5.0/3".utf8)))
    let auckland = try #require(ZoneRule(posix: Array("NZST-12NZDT,M9.5.0,M4.1.0/3".utf8)))
    let change = try #require(Timestamp(rfc3339: "2050-03-27T01:00:00Z")).seconds
    #expect(berlin.secondsEast(at: change - 1) == 3600)
    #expect(berlin.secondsEast(at: change) == 7200)
    #expect(auckland.secondsEast(at: change) == 46_800)
    #expect(berlin.secondsEast(at: .max) == 3600)
    #expect(berlin.secondsEast(at: .min) == 3600)
  }

  @Test(arguments: [
    "", "C", "CET", "CET-", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
    "CET-200", "CET-1CEST,M3.5.0,M10.5.0/3x", "<+03", "CET-1CEST,J0,J366",
  ])
  func `a text that is not a rule is refused`(text: String) {
    #expect(ZoneRule(posix: Array(text.utf8)) == nil)
  }

  @Test func `damaged files give no zone, or offsets of a day at most`() throws {
    let whole = try Array(
      Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Africa/Cairo")))
    #expect(ZoneFile(whole) != nil)
    for count in stride(from: 0, to: whole.count, by: 7) {
      if let file = ZoneFile(Array(whole[..<count])) {
        #expect(abs(file.secondsEast(at: 1_767_225_600)) < ZoneRule.secondsMax)
      }
    }
    var random = SeededGenerator(seed: 1)
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<min(200, bytes.count), using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if let file = ZoneFile(bytes) {
        for time in [Int64.min, -1, 1_767_225_600, .max] {
          #expect(abs(file.secondsEast(at: time)) < ZoneRule.secondsMax)
        }
      }
    }
  }
}
