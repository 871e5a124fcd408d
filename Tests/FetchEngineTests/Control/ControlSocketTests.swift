import FetchEngine
import FetchTestSupport
import FetchValues
import Glibc
import Testing

@Suite(.timeLimit(.minutes(5))) struct ControlSocketTests {
  @Test func `the lines of an answer and its end arrive in order`() async throws {
    let daemon = try ScriptedDaemon { request, line in
      for number in 0..<3 { await line(["n": .integer(Int64(number))]) }
      return .failed("enough", status: 8)
    }
    try await daemon.serving {
      let (lines, end) = try await daemon.ask(.push(jobs: ["a"]))
      #expect(lines == [["n": 0], ["n": 1], ["n": 2]])
      #expect(end == ControlEnd(status: 8, message: "enough"))
      #expect(daemon.requests == [.push(jobs: ["a"])])
    }
  }

  @Test func `an answer of a hundred thousand lines arrives completely`() async throws {
    let text = String(repeating: "x", count: 200)
    let daemon = try ScriptedDaemon { _, line in
      for number in 0..<100_000 {
        await line(["n": .integer(Int64(number)), "text": .string(text)])
      }
      return .done
    }
    try await daemon.serving {
      let (lines, _) = try await daemon.ask(.status(job: nil))
      #expect(lines.count == 100_000)
      #expect(lines.last?["n"] == 99_999)
    }
  }

  @Test func `more clients send requests at once than the daemon serves at once`() async throws {
    let daemon = try ScriptedDaemon { request, line in
      await line(["verb": .string(request.verb.rawValue)])
      return .done
    }
    try await daemon.serving {
      try await withThrowingTaskGroup { group in
        for _ in 0..<100 { group.addTask { try await daemon.ask(.budget).lines.count } }
        for try await count in group { #expect(count == 1) }
      }
    }
  }

  @Test func `a slow answer delays no other client`() async throws {
    let release = Fact()
    let daemon = try ScriptedDaemon { request, _ in
      if case .run = request { await release.wait() }
      return .done
    }
    try await daemon.serving {
      async let slow = daemon.ask(.run(.all, skipsInterval: true))
      let second = try await daemon.ask(.budget).end
      #expect(second == .done)
      release.happen()
      let first = try await slow.end
      #expect(first == .done)
    }
  }

  @Test func `a missing socket and an unused one both mean that no daemon runs`() async throws {
    let folder = try TemporaryFolder.make("control")
    try await expectNoDaemon(folder + "/none")
    let stale = try Self.staleSocket(in: folder)
    try await expectNoDaemon(stale)
  }

  private func expectNoDaemon(_ path: String) async throws {
    let error = await #expect(throws: ControlError.self) {
      _ = try await ControlClient.send(.budget, at: [path]) { _ in }
    }
    #expect(error?.code == .noDaemon)
    #expect(error?.message == "no daemon listens at \(path)")
  }

  @Test func `the second path is tried if no daemon serves the first one`() async throws {
    let daemon = try ScriptedDaemon()
    try await daemon.serving {
      let end = try await ControlClient.send(
        .budget, at: [daemon.path + ".none", daemon.path]
      ) { _ in }
      #expect(end == .done)
    }
  }

  @Test func `the socket of a killed daemon is replaced, and removed when the new daemon stops`()
    async throws
  {
    let daemon = try ScriptedDaemon()
    let folder = String(daemon.path.dropLast("/socket".count))
    let path = try Self.staleSocket(in: folder)
    #expect(path == daemon.path)
    try await daemon.serving {
      var status = stat()
      #expect(lstat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
      let end = try await daemon.ask(.budget).end
      #expect(end == .done)
    }
    #expect(access(path, F_OK) != 0)
  }

  @Test func `the socket of a running daemon is not replaced`() async throws {
    let daemon = try ScriptedDaemon()
    try await daemon.serving {
      let other = ControlServer(path: daemon.path, handler: daemon)
      #expect(
        throws: ControlError(
          .inUse, "a daemon (process \(getpid())) already listens at \(daemon.path)")
      ) { try other.start() }
      await other.stop()
      let end = try await daemon.ask(.budget).end
      #expect(end == .done)
    }
  }

  @Test func `another file at the socket's path is left unchanged`() async throws {
    let daemon = try ScriptedDaemon()
    try TemporaryFolder.write("mine", to: daemon.path)
    #expect(
      throws: ControlError(
        .unusable, "\(daemon.path) exists and is not a socket: move it away")
    ) { try ControlServer(path: daemon.path, handler: daemon).start() }
    #expect(access(daemon.path, F_OK) == 0)
  }

  @Test func `a stopping daemon does not remove another daemon's socket`() async throws {
    let daemon = try ScriptedDaemon()
    try await daemon.serving {
      unlink(daemon.path)
      try TemporaryFolder.write("another's", to: daemon.path)
    }
    #expect(access(daemon.path, F_OK) == 0)
  }

  @Test func `a waiting client is notified that the daemon stops`() async throws {
    let began = Fact()
    let daemon = try ScriptedDaemon { _, _ in
      began.happen()
      await untilCancelled()
      return .done
    }
    let server = ControlServer(path: daemon.path, handler: daemon)
    try server.start()
    async let answer = daemon.ask(.run(.all, skipsInterval: false))
    await began.wait()
    await server.stop()
    let end = try await answer.end
    #expect(end == .failed("the answering process was stopped before its answer was complete"))
  }

  @Test func `an answer under way may end while the daemon is stopping`() async throws {
    let (began, stopping) = (Fact(), Fact())
    let daemon = try ScriptedDaemon { _, line in
      began.happen()
      await stopping.wait()
      await line("the last")
      return .failed("stopped", status: 8)
    }
    let server = ControlServer(path: daemon.path, handler: daemon, stopGrace: .seconds(60))
    try server.start()
    async let answer = daemon.ask(.run(.all, skipsInterval: false, waits: true))
    await began.wait()
    async let stopped: Void = server.stop()
    stopping.happen()
    let (lines, end) = try await answer
    #expect(lines == ["the last"])
    #expect(end == .failed("stopped", status: 8))
    await stopped
  }

  @Test func `a client that disconnects cancels the answer`() async throws {
    let (began, ended) = (Fact(), Fact())
    let daemon = try ScriptedDaemon { _, line in
      began.happen()
      await untilCancelled()
      await line(["to": "nobody"])
      ended.happen()
      return .done
    }
    try await daemon.serving {
      let asking = Task { try await daemon.ask(.run(.all, skipsInterval: false)) }
      await began.wait()
      asking.cancel()
      let error = await #expect(throws: ControlError.self) { _ = try await asking.value }
      #expect(error?.code == .cancelled)
      await ended.wait()
    }
  }

  @Test func `a request that is cancelled before it is sent does not reach the daemon`()
    async throws
  {
    let daemon = try ScriptedDaemon()
    try await daemon.serving {
      let asking = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await daemon.ask(.budget)
      }
      let error = await #expect(throws: ControlError.self) { _ = try await asking.value }
      #expect(error?.code == .notSent)
      #expect(
        error?.message == "cancelled before the request was sent to the daemon: nothing runs")
    }
    #expect(daemon.requests == [])
  }

  @Test func `a client that disconnects without reading ends an answer that waits for free space`()
    async throws
  {
    let (began, ended) = (Fact(), Fact())
    let text = Value.string(String(repeating: "x", count: 4000))
    let daemon = try ScriptedDaemon { _, line in
      began.happen()
      while !Task.isCancelled { await line(text) }
      ended.happen()
      return .done
    }
    try await daemon.serving {
      do {
        let raw = try RawSocket(daemon.path)
        raw.send(Array("{\"verb\":\"budget\"}\n".utf8))
        await began.wait()
      }
      await ended.wait()
    }
  }

  @Test(arguments: [
    "\n", "nonsense\n", "{\"verb\":\"push\"}\n", "\u{0}\u{1}\n", "{\"verb\":\"push\"}\nmore\n",
  ]) func `hostile bytes are answered with an error`(text: String) async throws {
    let daemon = try ScriptedDaemon()
    try await daemon.serving {
      let raw = try RawSocket(daemon.path)
      raw.send(Array(text.utf8))
      let answer = raw.receive()
      #expect(answer.hasPrefix(#"{"end":{"status":64,"message":"the request "#))
      let end = try await daemon.ask(.budget).end
      #expect(end == .done)
    }
    #expect(daemon.requests == [.budget])
  }

  @Test func `a request without an end is refused at its limit`() async throws {
    let daemon = try ScriptedDaemon()
    try await daemon.serving {
      let raw = try RawSocket(daemon.path)
      raw.send([UInt8](repeating: UInt8(ascii: "a"), count: ControlRequest.bytesMax))
      #expect(
        raw.receive()
          == #"{"end":{"status":64,"message":"the request is longer than 65536 bytes"}}"# + "\n")
    }
  }

  @Test func `a client that closes its sending side still gets its answer`() async throws {
    let daemon = try ScriptedDaemon()
    try await daemon.serving {
      let raw = try RawSocket(daemon.path)
      raw.send(Array("{\"verb\":\"budget\"}\n".utf8))
      raw.endSending()
      #expect(raw.receive() == #"{"end":{"status":0,"message":null}}"# + "\n")
      let silent = try RawSocket(daemon.path)
      silent.send(Array("{\"verb".utf8))
      silent.endSending()
      #expect(silent.receive() == "")
    }
  }

  /// Leaves a socket file without a listener, as a killed daemon does.
  private static func staleSocket(in folder: String) throws -> String {
    let path = folder + "/socket"
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let code = RawSocket.withAddress(path) { bind(descriptor, $0, $1) }
    try #require(code == 0)
    close(descriptor)
    return path
  }
}

func untilCancelled() async {
  let cancelled = Fact()
  await withTaskCancellationHandler {
    await cancelled.wait()
  } onCancel: {
    cancelled.happen()
  }
}
