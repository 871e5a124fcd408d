/// Work that waits for a disk, on a thread of its own: Swift's threads must not.
package enum Disk {
  package static func run<T: Sendable, Problem: Error>(
    _ body: @escaping @Sendable () throws(Problem) -> T
  ) async throws(Problem) -> T {
    let result: Result<T, Problem> = await withCheckedContinuation { continuation in
      DedicatedThread.start("disk") {
        continuation.resume(returning: Result { () throws(Problem) in try body() })
      }
    }
    return try result.get()
  }

  /// What went wrong; nil when nothing did.
  static func attempt(
    _ body: @escaping @Sendable () throws(FileFault) -> Void
  ) async -> FileFault? {
    do throws(FileFault) { try await run(body) } catch { return error }
    return nil
  }
}
