import FetchValues
import Foundation
import Testing

/// Tests of eight simultaneous results that are small on the wire and large in memory. The daemon
/// needs little memory.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LargeResultTests {
  private static let jobCount = 8
  private static let memoryMax = 200 << 20
  private static let attack =
    Program.top.path + "/Tests/EndToEndTests/Attacks/shared-table.lua"

  private static let witness = """
    return {
      api = 1, name = "witness", version = "1",
      fetch = function(ctx) return { { id = "w" } } end,
    }
    """

  private struct Seen {
    var attacks: [Value]
    var peakBytes: Int
    /// The number of runs of the job that is due each second, between the ends of the first and of
    /// the last attack.
    var witnessCount: Int
  }

  private func serve(references: Int, places: String) throws -> Seen {
    let program = try Program()
    defer { program.remove() }
    let witness = try program.write("witness.lua", Self.witness)
    let options = "{references: \(references), places: [\(places)]}"
    let jobs = (1...Self.jobCount).map {
      "  - {name: a\($0), plugin: \(Self.attack), interval: 1h, options: \(options)}\n"
    }
    let config = try program.write(
      "fetchrun.yaml",
      "jobs:\n  - {name: witness, plugin: \(witness), interval: 1s}\n" + jobs.joined())
    let serving = try Watched(program, ["serve", "--config", config, "--json"])
    let isDone = { (lines: [String]) in
      lines.count { $0.contains(#""job":"a"#) } == Self.jobCount
    }
    #expect(serving.wait(for: .output, isDone))
    let count = serving.output.count { $0.contains(#""job":"witness""#) }
    serving.wait(for: .output) { lines in
      lines.count { $0.contains(#""job":"witness""#) } > count + 1
    }
    let peak = Self.peakBytes(of: serving.identifier)
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    let runs = try serving.output.map { try JSONReader.decode($0) }
    let isAttack = { (run: Value) in run["job"] != "witness" }
    let first = try #require(runs.firstIndex(where: isAttack))
    let last = try #require(runs.lastIndex(where: isAttack))
    return Seen(
      attacks: runs.filter(isAttack), peakBytes: peak,
      witnessCount: runs[first...last].count { !isAttack($0) })
  }

  /// Returns the kernel's `VmHWM`, the peak of the resident memory.
  private static func peakBytes(of process: Int32) -> Int {
    let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? .max >> 10) << 10
  }

  @Test(arguments: ["item", "state", "item, state"])
  func `a shared table beyond the limit ends its run`(places: String) throws {
    let seen = try serve(references: 10_000, places: places)
    for run in seen.attacks {
      #expect(run["failure"]?["code"] == "resultLimit")
      #expect(
        run["failure"]?["message"]
          == .string(
            "the run's items and state take more than 64 MiB of memory when they are read "
              + "(twice the limit resultBytes); return less data or raise the limit"))
    }
    #expect(seen.peakBytes < Self.memoryMax, "\(seen.peakBytes >> 20) MiB")
  }

  /// The results are read one at a time, which takes seconds. In between, other jobs run.
  ///
  /// The test is enabled for release builds only, because other builds take minutes.
  @Test(.enabled(if: Program.isForRelease))
  func `a shared table just within the limit is stored, one at a time`() throws {
    let seen = try serve(references: 1_350, places: "item")
    for run in seen.attacks { #expect(run["outcome"] == "newData", "\(run)") }
    #expect(seen.peakBytes < Self.memoryMax, "\(seen.peakBytes >> 20) MiB")
    #expect(seen.witnessCount > 0)
  }
}
