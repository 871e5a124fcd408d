import FetchTestSupport
import Foundation
import Testing

/// Tests of the memory of a mirror of many small files and one large file. The memory must not grow
/// much with the number of files, or with the size of the large file. For 10,000 files and 2 GiB,
/// the host and the worker of a release build each need at most 64 MiB. A debug build may need
/// more: the code of a debug build alone takes 50 MiB of the host's memory.
@Suite(.enabled(if: NginxFolders.isInstalled, "nginx is not installed"))
struct MirrorMemoryTests {
  private static let workerBytesMax = 64 << 20
  private static let hostBytesMax = (Program.isForRelease ? 64 : 64 + 32) << 20
  /// The maximum growth of the memory in bytes. The measured growth is 5 MiB in the host and 6 MiB
  /// in the worker.
  private static let growthBytesMax = 20 << 20

  private struct Peak: CustomStringConvertible {
    var host: Int
    var worker: Int
    var description: String { "host \(host >> 20) MiB, worker \(worker >> 20) MiB" }
  }

  /// Whether the large test runs. The test takes minutes, because each of 10,000 files is made
  /// durable.
  private static let isWhole = ProcessInfo.processInfo.environment["FETCHRUN_MIRROR"] == "whole"

  @Test(.enabled(if: isWhole, "FETCHRUN_MIRROR is not \"whole\""), .timeLimit(.minutes(15)))
  func `10,000 small files and one of 2 GiB are mirrored in bounded memory`() throws {
    let peak = try peak(fileCount: 10_000, bigBytes: 2 << 30)
    print("peaks of a mirror of 10,000 files and 2 GiB: \(peak)")
    #expect(peak.host <= Self.hostBytesMax)
    #expect(peak.worker <= Self.workerBytesMax)
  }

  @Test(.timeLimit(.minutes(5))) func `a mirror's memory does not grow with the number of files`()
    throws
  {
    let small = try peak(fileCount: 300, bigBytes: 16 << 20)
    let large = try peak(fileCount: 2_500, bigBytes: 512 << 20)
    print("peaks of a mirror: \(small), \(large)")
    #expect(large.host <= Self.hostBytesMax)
    #expect(large.worker <= Self.workerBytesMax)
    #expect(large.host - small.host <= Self.growthBytesMax)
    #expect(large.worker - small.worker <= Self.growthBytesMax)
  }

  /// Returns the peak memory of `serve` that mirrors the given files and then checks these files
  /// once more.
  private func peak(fileCount: Int, bigBytes: Int) throws -> Peak {
    let server = try NginxFolders()
    let source = server.folder + "/files"
    let program = try Program()
    defer { withExtendedLifetime(server) { program.remove() } }
    try make(fileCount, bigBytes, in: source)
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: store.sqlite
      allow_private: true
      lanes: { "*": { gap: 0s, connections: 4 } }
      jobs:
        - name: mirror
          plugin: \(Program.top.path)/plugins/file-sync.lua
          options: { source: "http://127.0.0.1:\(server.port)/html/" }
          interval: 1d
          files: { root: copy }
      """)
    let serving = try Watched(program, ["serve", "--config", config])
    serving.wait(for: .output) { !$0.isEmpty }
    #expect(serving.output.first?.hasPrefix("newData  mirror  \(fileCount + 1) added") == true)
    serving.wait(for: .messages) { lines in
      lines.count > fileCount && lines.count { $0.hasSuffix(" received") } == fileCount + 1
    }
    let again = try program.run("run", "mirror", "--config", config)
    #expect(again.output.hasPrefix("noData  mirror "))
    let workers = Self.children(of: serving.identifier).map(Self.peakBytes)
    let peak = Peak(
      host: Self.peakBytes(of: serving.identifier), worker: try #require(workers.max()))
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    let facts = try FileManager.default.attributesOfItem(
      atPath: program.folder.path + "/copy/big.bin")
    #expect(facts[.size] as? Int == bigBytes)
    return peak
  }

  private func make(_ count: Int, _ bigBytes: Int, in folder: String) throws {
    for number in 0..<count {
      let place = "\(folder)/\(number / 100)"
      if number % 100 == 0 {
        try FileManager.default.createDirectory(
          atPath: place, withIntermediateDirectories: true)
      }
      let text = String(repeating: "x", count: number % 500)
      try Data(text.utf8).write(to: URL(filePath: "\(place)/file \(number).txt"))
    }
    try Data().write(to: URL(filePath: folder + "/big.bin"))
    #expect(truncate(folder + "/big.bin", bigBytes) == 0)
  }

  // MARK: What the kernel says

  private static func children(of process: Int32) -> [Int32] {
    let tasks = "/proc/\(process)/task"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return names.flatMap { name in
      text("\(tasks)/\(name)/children").split(separator: " ").compactMap { Int32($0) }
    }
  }

  private static func peakBytes(of process: Int32) -> Int {
    let line = text("/proc/\(process)/status").split(separator: "\n")
      .first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
