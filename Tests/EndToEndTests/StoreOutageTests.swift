import FetchStore
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `serve` whose store is in a PostgreSQL server that stops for a while. The daemon tests
/// the store a minute after a failure, so the test takes more than a minute.
@Suite(.enabled(if: PostgresServer.isInstalled), .timeLimit(.minutes(5)))
struct StoreOutageTests {
  @Test func `after an outage of the store's server, the jobs run again and none has failed`()
    throws
  {
    let (program, site, server) = (try Program(), try Hostnames(), try PostgresServer())
    defer {
      site.stop()
      program.remove()
    }
    let store = try server.newDatabase().path
    let config = try program.write(
      "fetchrun.yaml",
      "store: \(store)\njobs:\n" + site.job("a", at: "h1", every: "1s")
        + site.job("b", at: "h2", every: "1s"))
    let serving = try Watched(program, ["serve", "--config", config, "--allow-private"])
    #expect(serving.wait(for: .output) { $0.count >= 4 })
    try server.crash()
    #expect(serving.wait(forMessage: "cannot connect to the server of the store"))
    let explained = try program.run("explain", "--config", config, "a")
    #expect(explained.output.contains("the store has not been writable since"), "\(explained)")
    try server.start()
    let count = serving.output.count
    #expect(serving.wait(for: .output) { $0.count >= count + 4 })
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    let runs = try program.start(["runs", "--limit", "0", "--json", "--store", store]).wait().lines
      .map { try JSONReader.decode($0) }
    #expect(runs.count >= 6)
    // A run that was under way at the crash may have ended unrecorded, but no job has failed.
    for run in runs {
      #expect(run["outcome"] != "failed" || run["failure"]?["code"] == "abandoned")
    }
    for job in try program.run("status", "--config", config, "--json").lines {
      #expect(try JSONReader.decode(job)["failures"]?.integerValue ?? 0 == 0, "\(job)")
    }
  }
}
