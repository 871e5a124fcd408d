import FetchModel
import Glibc
import Synchronization
import Testing

@testable import FetchHost

/// Tests of the messages to the thread of a worker pool.
@Suite struct PoolMailboxTests {
  @Test func `a shutdown requested during another one is reported after all work has ended`() {
    let mailbox = PoolMailbox()
    let supervisor = WorkerSupervisor(
      configuration: WorkerPoolConfiguration(executable: "/nowhere/worker"), mailbox: mailbox)
    let ends = Ends()
    mailbox.post(.shutDown { ends.note("first shutdown") })
    mailbox.post(
      .report { _ in
        // The pool is already shutting down, but it still accepts messages.
        mailbox.post(.shutDown { ends.note("second shutdown") })
        mailbox.post(
          .inspect(Inspection(plugin: .fetching("")) { _ in ends.note("inspection") }))
      })
    supervisor.serve()
    #expect(ends.all == ["inspection", "first shutdown", "second shutdown"])
  }

  @Test func `a pool that no run has used shuts down at once, and then refuses runs`() async {
    let pool = WorkerPool(
      configuration: WorkerPoolConfiguration(executable: "/nowhere/worker"))
    pool.setLockdown(.prefer)
    #expect(await pool.status().isEmpty)
    await pool.shutdown()
    await pool.shutdown()
    #expect(await pool.status().isEmpty)
    let answer = await pool.inspect(.fetching(""))
    #expect(answer == .failure(Failure(.cancelled, "fetchrun is shutting down")))
  }

  @Test func `a mailbox without a descriptor takes no letters, and says why`() {
    errno = ENFILE
    let mailbox = PoolMailbox(descriptor: -1)
    #expect(!mailbox.post(.cancel(run: 1)))
    #expect(
      mailbox.refusal.message == "no worker can be started: \(ResourceShortage.message(ENFILE))")
  }
}

/// The names of ended work, in the order of the ends.
private final class Ends: Sendable {
  private let names = Mutex<[String]>([])

  var all: [String] { names.withLock { $0 } }
  func note(_ name: String) { names.withLock { $0.append(name) } }
}
