import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

@testable import FetchEngine

/// Tests of plugins that other programs send to a daemon. The job name that a program has chosen
/// may already belong to another job.
@Suite(.timeLimit(.minutes(5))) struct GuestRunTests {
  private let bench: ServiceBench

  init() throws {
    bench = try ServiceBench()
    try bench.write(
      "list.lua",
      """
      return {
        api = 1, name = "list", version = "1",
        options = { of = { required = true }, item = { default = "" } },
        fetch = function(ctx)
          return { { id = ctx.options.of .. ctx.options.item, title = ctx.options.of } }
        end,
      }
      """)
  }

  private func request(_ options: String..., named name: JobName? = nil) throws -> GuestRequest {
    let file = bench.path("list.lua")
    let hash = try PluginFolders([]).load(file).source.contentHash
    var request = GuestRequest(job: name ?? "list-a-b", plugin: file, file: file, hash: hash)
    request.options = options
    request.isNamed = name != nil
    return request
  }

  /// Sends the requests at the same moment. Returns the runs of each request, or the message of its
  /// refusal, in the order of the requests.
  private func answers(_ requests: [GuestRequest], _ open: OpenService) async -> [String] {
    let control = open.service.control(shelf: { bench.shelf }) { .done }
    return await withTaskGroup(of: (Int, String).self) { tasks in
      for (index, request) in requests.enumerated() {
        tasks.addTask {
          let lines = Mutex<[Value]>([])
          let end = await control.answer(.guest(request)) { line in
            lines.withLock { $0.append(line) }
          }
          if let message = end.message { return (index, message) }
          let runs = lines.withLock { $0 }.compactMap { line -> RunRecord? in
            guard case .ended(let record) = RunAnswer(line) else { return nil }
            return record
          }
          return (index, runs.map { "\($0.outcome.word) \($0.job)" }.joined(separator: ", "))
        }
      }
      var answers = [String](repeating: "", count: requests.count)
      for await (index, answer) in tasks { answers[index] = answer }
      return answers
    }
  }

  private func items(of job: JobName) throws -> [String] {
    var query = ItemQuery()
    query.job = job
    return try StoreReader(at: bench.storePath).items(query).compactMap(\.title).sorted()
  }

  @Test func `two different jobs that request the same name at the same moment get two names`()
    async throws
  {
    let open = try await bench.serve(
      "jobs: [{name: other, plugin: rss, options: {url: '{h1}/'}, interval: never}]")
    // Both requests have list-a-b as their readable name.
    let requests = [try request("of=a b"), try request("of=A-B")]
    for word in ["newData", "noData"] {
      let answers = await answers(requests, open)
      #expect(answers.allSatisfy { $0.hasPrefix("\(word) list-a-b") }, "\(answers)")
      #expect(Set(answers).count == 2, "\(answers)")
    }
    let names = Set(try bench.records().map(\.job))
    #expect(names.count == 2 && names.contains("list-a-b"))
    #expect(Set(try names.map { try items(of: $0) }) == [["a b"], ["A-B"]])
    try await open.stop()
  }

  @Test func `a name that another job has taken since the command chose it is not used`()
    async throws
  {
    let open = try await bench.serve(
      "jobs: [{name: other, plugin: rss, options: {url: '{h1}/'}, interval: never}]")
    #expect(await answers([try request("of=a b")], open) == ["newData list-a-b"])
    // This request has the job name `list-a-b`, as if its program had chosen the name before the
    // run
    let late = try request("of=A-B")
    let answer = try #require(await answers([late], open).first)
    #expect(answer.wholeMatch(of: /newData list-a-b-[0-9a-f]{10}/) != nil, "\(answer)")
    #expect(try items(of: "list-a-b") == ["a b"])
    // The same source keeps its name, with other options too.
    #expect(await answers([try request("of=a b", "item=1")], open) == ["newData list-a-b"])
    // A name that the user has given is kept in any case.
    #expect(await answers([try request("of=c", named: "mine")], open) == ["newData mine"])
    // A taken name without an alternative is refused.
    var fixed = try request("of=d", named: "mine")
    fixed.isNamed = false
    #expect(
      await answers([fixed], open) == [
        "the store already has another job 'mine': give this run another name with --job"
      ])
    try await open.stop()
  }

  /// A client could otherwise receive the result of an earlier guest with the same name.
  @Test func `the runs of guests with the same name have different numbers`() async throws {
    let open = try await bench.open(
      "jobs: [{name: other, plugin: rss, options: {url: '{h1}/'}, interval: never}]")
    let request = try request("of=a b")
    let plugin = try await bench.shelf.plugin(named: request.file)
    let job = try #require(request.config).job(with: plugin)
    var numbers: [Int64] = []
    for _ in 0..<2 {
      guard case .adopted(let ticket) = open.service.jobs.adopt(job, now: bench.now) else {
        Issue.record("the guest was not added")
        break
      }
      numbers.append(try open.service.jobs.ask(job.name, now: bench.now).get())
      open.service.jobs.dismiss(job.name, ticket)
    }
    #expect(numbers.count == 2 && Set(numbers).count == 2, "\(numbers)")
    try await open.stop()
  }

  @Test func `the same command at the same moment runs once or reports that it is running`()
    async throws
  {
    let open = try await bench.serve(
      "jobs: [{name: other, plugin: rss, options: {url: '{h1}/'}, interval: never}]")
    let answers = await answers([try request("of=a b"), try request("of=a b")], open)
    let busy =
      "the daemon of this store has a job 'list-a-b' of another command: wait until its run has "
      + "ended, or give this run another name with --job"
    #expect(answers.contains("newData list-a-b"))
    #expect(
      answers.allSatisfy { [busy, "newData list-a-b", "noData list-a-b"].contains($0) },
      "\(answers)")
    #expect(try items(of: "list-a-b") == ["a b"])
    let taken = await self.answers([try request("of=a b", named: "other")], open)
    #expect(
      taken.first?.hasPrefix("the daemon of this store has a job 'other': run the job with ")
        == true)
    try await open.stop()
  }
}
