import FetchTestSupport
import Foundation
import Testing

/// Tests of `fetchrun transfers cancel` without a process that carries out transfers.
@Suite(.timeLimit(.minutes(5))) struct TransferCancelTests {
  @Test(arguments: ["fetchrun/files/pull", "own"])
  func `the partial file of a cancelled transfer is removed even if its process was killed`(
    folder: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("puller.lua", TransferTests.plugin)
    let isOver = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 2000000\r\n\r\n")
      connection.send([UInt8](repeating: 7, count: 1_000_000))
      isOver.wait()
    }
    defer {
      isOver.signal()
      server.stop()
    }
    let root = program.folder.path + "/" + folder
    let partial = root + "/.fetchrun-partial/1"
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: fetchrun/store.sqlite
      allow_private: true
      jobs:
        - name: pull
          plugin: ./puller.lua
          options: { url: "\(server.url)/f" }
          interval: never
          \(folder == "own" ? "files: { root: own }" : "")
      """)
    let running = try program.start(["run", "--config", config])
    var size: off_t = 0
    while running.process.isRunning, size == 0, !Task.isCancelled {
      var facts = stat()
      size = stat(partial, &facts) == 0 ? facts.st_size : 0
      sched_yield()
    }
    kill(running.process.processIdentifier, SIGKILL)
    _ = try running.wait()
    #expect(size > 0)
    let cancelled = try program.run("transfers", "cancel", "1", "--config", config)
    #expect(cancelled.output == "1: failed\n", "\(cancelled.messages)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/.fetchrun-partial") == [])
  }
}
