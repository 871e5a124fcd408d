import FetchEngine
import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the program's output for a daemon's answers. The test itself acts as the daemon, with a
/// scheduler whose clock is stopped.
@Suite struct DaemonAnswerTests {
  private static let now = Timestamp(rfc3339: "2026-11-20T10:00:00Z")!

  /// A daemon with three jobs: one has news, one is in back-off, and one has never run.
  private struct Frozen: ControlHandler {
    func answer(
      _ request: ControlRequest, line: @escaping @Sendable (Value) async -> Void
    ) async -> ControlEnd {
      var scheduler = scheduler
      switch request {
      case .status:
        for job in scheduler.numbers {
          await line(StatusLine(job, in: scheduler, now: now).value)
        }
      case .explain(let name):
        let names = scheduler.numbers.map { scheduler[$0].name }
        guard let job = scheduler.number(of: name) else {
          return .unknownJob(name, among: names)
        }
        for sentence in ExplainLine.all(job, in: scheduler, now: now) {
          await line(sentence.value)
        }
      case .push(let names):
        for name in names {
          guard let job = scheduler.number(of: name) else { continue }
          let answer = scheduler.trigger(job, .push, now: now)
          await line(TriggerLine(job: name.text, answer, now: now).value)
        }
      case .pause(.all): await line(PauseLine(job: nil, isPaused: true, isChanged: true).value)
      case .resume(.named(let names)):
        for name in names {
          await line(PauseLine(job: name.text, isPaused: false, isChanged: false).value)
        }
      case .budget:
        for row in LedgerLine.all(scheduler, now: now) { await line(row.value) }
      default: return .failed("not here", status: 8)
      }
      return .done
    }

    private var scheduler: Scheduler {
      var limits = BudgetLimits()
      limits.runsAtOnceMax = 8
      limits.requests = [Rate(amount: 600, period: .hour)]
      limits.bytes = [Rate(amount: 500_000_000, period: .day)]
      let earlier = now + .seconds(-60)
      var scheduler = Scheduler(budget: Budget(limits, now: earlier), now: earlier)
      func add(_ name: JobName, _ interval: Interval, _ hostname: String?) -> JobNumber {
        scheduler.add(
          ScheduledJob(name: name, interval: interval, hostname: hostname), now: earlier)
      }
      let news = add("reuters", .every(.seconds(900)), "www.reuters.com")
      var own = scheduler[news]
      own.budget.requests = [Rate(amount: 40, period: .hour)]
      scheduler.update(own, now: earlier)
      let broken = add("broken", .every(.seconds(86_400)), "example.org")
      _ = add("by-hand", .never, nil)
      _ = scheduler.due(now: earlier)
      scheduler.ended(news, RunSummary(.newData), now: now + .seconds(-59))
      scheduler.ended(broken, RunSummary(.failed(.httpStatus)), now: now + .seconds(-58))
      scheduler.reschedule(
        broken, at: now + .seconds(300), reason: .backOff(1), now: now + .seconds(-58))
      return scheduler
    }

    private var now: Timestamp { DaemonAnswerTests.now }
  }

  private func ask(_ words: String...) async throws -> Program.Ending {
    let program = try Program()
    defer { program.remove() }
    let store = program.folder.path + "/store.sqlite"
    let server = ControlServer(path: try ControlSocketPath.of(store: store), handler: Frozen())
    try server.start()
    let ending = try program.start(words + ["--store", store]).wait()
    await server.stop()
    return ending
  }

  @Test func `status is a table`() async throws {
    let ending = try await ask("status")
    #expect(ending.messages == "")
    #expect(ending.status == 0)
    let table = """
      JOB      STATE      LAST     SUCCESS              NEW DATA             NEXT                 \
      FAILURES  LANE             WHY
      reuters  scheduled  newData  2026-11-20 09:59:01  2026-11-20 09:59:01  2026-11-20 10:14:00  \
             -  www.reuters.com  it is due at 2026-11-20T10:14:00Z (in 14m) by its interval
      broken   backOff    failed   -                    -                    2026-11-20 10:05:00  \
             1  example.org      failed once; next try at \
      2026-11-20T10:05:00Z (in 5m)
      by-hand  idle       -        -                    -                    -                    \
             -  -                its interval is never: it runs only when triggered

      """
    #expect(ending.output == table)
  }

  @Test func `status as JSON has one line per job`() async throws {
    let ending = try await ask("status", "--json")
    #expect(ending.lines.count == 3)
    let first = """
      {"job":"reuters","state":"scheduled","lastOutcome":"newData",\
      "lastSuccessAt":"2026-11-20T09:59:01Z","lastNewDataAt":"2026-11-20T09:59:01Z",\
      "nextDueAt":"2026-11-20T10:14:00Z",\
      "why":"it is due at 2026-11-20T10:14:00Z (in 14m) by its interval",\
      "failures":0,"lane":"www.reuters.com",\
      "dueReasons":[{"at":"2026-11-20T10:14:00Z","reason":"interval"}],"waiting":null,\
      "isHeld":false,"pausedAt":null}
      """
    #expect(ending.lines.first == first)
  }

  @Test func `explain prints sentences`() async throws {
    let ending = try await ask("explain", "by-hand")
    #expect(
      ending.output == """
        by-hand runs only when triggered: its interval is never.
        It has never run.

        """)
  }

  @Test func `a message about an unknown job has a suggestion`() async throws {
    let ending = try await ask("explain", "rueters")
    #expect(ending.status == 1)
    #expect(
      ending.messages == "fetchrun: there is no job 'rueters' (did you mean 'reuters'?)\n")
  }

  @Test func `push reports the result for each job`() async throws {
    let ending = try await ask("push", "reuters", "broken", "by-hand")
    #expect(
      ending.output == """
        reuters: due
        broken: waits: failed once; next try at 2026-11-20T10:05:00Z (in 5m)
        by-hand: due

        """)
    #expect(ending.status == 0)
  }

  @Test func `pause and resume report the state of jobs`() async throws {
    #expect(try await ask("pause", "--all").output == "all jobs are paused\n")
    #expect(try await ask("resume", "reuters").output == "reuters: was not paused\n")
  }

  @Test func `a failure has the message and the exit status that the daemon gives`() async throws {
    let ending = try await ask("resume", "--all")
    #expect(ending.status == 8)
    #expect(ending.messages == "fetchrun: not here\n")
  }

  @Test func `budget is a table`() async throws {
    let ending = try await ask("budget")
    let table = """
      BUDGET                  LIMIT     USED  AVAILABLE  LEVEL  TOTAL SPENT
      runs at once                8        0          8  100 %            -
      requests                600/h        0         30  100 %            2
      bytes              500.0 MB/d  0 bytes    25.0 MB  100 %      0 bytes
      CPU time                 none        -          -      -           0s
      run time                 none        -          -      -           0s
      reuters: requests        40/h        0          1   50 %            1

      """
    #expect(ending.output == table)
  }
}
