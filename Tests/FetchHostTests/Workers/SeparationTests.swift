import FetchHost
import FetchModel
import FetchValues
import Testing

struct SeparationTests {
  @Test func `no effect of a run is visible to the next run`() async throws {
    let pool = try WorkerPool.forTests()
    let vandal = PluginSource.text(
      """
      return { fetch = function(ctx)
        if ctx.options.first then
          leak = "yes"
          string.upper = function() return "spoilt" end
          table.insert = nil
          require("json").decode = function() return "spoilt" end
          require("json").leak = true
          getmetatable = nil
          math.randomseed(1)
        end
        return { {id = tostring(rawget(_G, "leak")), title = ("a"):upper(),
          summary = tostring(rawget(require("json"), "leak")), n = math.random(1000000)} }
      end }
      """)
    var first = WorkerRun(plugin: vandal, seed: 9)
    first.arguments = ValueObject([("options", ["first": true])])
    _ = await pool.run(first, calls: NoCalls())
    let process = await pool.status().first?.process
    var ends: [ParsedItem] = []
    for _ in 0..<2 {
      let end = await pool.run(WorkerRun(plugin: vandal, seed: 9), calls: NoCalls())
      ends.append(try #require(end.products?.items.first))
    }
    #expect(await pool.status().first?.process == process)
    #expect(ends[0].id == "nil")
    #expect(ends[0].title == "A")
    #expect(ends[0].summary == "nil")
    #expect(ends[0] == ends[1])
    await pool.shutdown()
  }

  @Test func `runs of different plugins never share a process`() async throws {
    let pool = try WorkerPool.forTests()
    for text in ["", "--", "-- x"] {
      _ = await pool.run(WorkerRun(plugin: .fetching(text), seed: 1), calls: NoCalls())
    }
    let workers = await pool.status()
    #expect(Set(workers.map(\.process)).count == 3)
    await pool.shutdown()
  }

  @Test func `runs share a process only if they have the same rights beyond hostnames`()
    async throws
  {
    let pool = try WorkerPool.forTests()
    var own = Grant()
    own.hosts = [try #require(HostPattern("example.org"))]
    var secret = Grant()
    secret.secrets = [SecretGrant(name: "token", hosts: [])]
    var local = Grant()
    local.privateAddresses = .all
    var reading = Grant()
    reading.readPaths = ["/srv"]
    var keeping = Grant()
    keeping.keepsFiles = true
    let grants = [
      ExtraGrant(Grant(), sources: [:], folder: "/a"), ExtraGrant(own, sources: [:], folder: "/b"),
      ExtraGrant(secret, sources: ["token": .environment("A")], folder: nil),
      ExtraGrant(secret, sources: ["token": .environment("B")], folder: nil),
      ExtraGrant(local, sources: [:], folder: nil), ExtraGrant(reading, sources: [:], folder: nil),
      ExtraGrant(keeping, sources: [:], folder: "/a"),
      ExtraGrant(keeping, sources: [:], folder: "/b"),
    ]
    var workers: [Int: Set<Int32>] = [:]
    for (number, grant) in (grants + grants).enumerated() {
      let before = Set(await pool.status().map(\.process))
      var run = WorkerRun(plugin: .fetching("return {{id = 'a'}}"), seed: 1)
      run.extraGrant = grant
      #expect(await pool.run(run, calls: NoCalls()).products?.items.count == 1)
      workers[number] = Set(await pool.status().map(\.process)).subtracting(before)
    }
    // Hostnames make no difference, but other rights do. A second run with equal rights uses the
    // same process.
    #expect(
      workers.sorted { $0.key < $1.key }.map(\.value.count)
        == [1, 0, 1, 1, 1, 1, 1, 1] + Array(repeating: 0, count: 8))
    await pool.shutdown()
  }

  @Test func `a process that only returned a manifest takes the first run, whatever its rights`()
    async throws
  {
    let pool = try WorkerPool.forTests()
    let plugin = PluginSource.fetching("return {{id = 'a'}}")
    _ = await pool.inspect(plugin)
    var grant = Grant()
    grant.privateAddresses = .all
    var run = WorkerRun(plugin: plugin, seed: 1)
    run.extraGrant = ExtraGrant(grant, sources: [:], folder: nil)
    _ = await pool.run(run, calls: NoCalls())
    #expect(await pool.status().count == 1)
    _ = await pool.run(WorkerRun(plugin: plugin, seed: 1), calls: NoCalls())
    #expect(await pool.status().count == 2)
    await pool.shutdown()
  }

  @Test func `the process of a run with its own process ends with the run`() async throws {
    let pool = try WorkerPool.forTests()
    var run = WorkerRun(plugin: .fetching("return {{id = 'a'}}"), seed: 1)
    run.isolation = .perRun
    let end = await pool.run(run, calls: NoCalls())
    #expect(end.products?.items.count == 1)
    #expect(await pool.status().isEmpty)
    await pool.shutdown()
  }

  @Test func `a worker is confined before it receives a plugin`() async throws {
    let pool = try WorkerPool.forTests { $0.lockdown = .require }
    let report = try await pool.probeIsolation().get()
    #expect(report.seccomp)
    #expect(report.noNewPrivileges)
    #expect(report.resourceLimits)
    #expect(report.isComplete)
    await pool.shutdown()
  }

  @Test func `a plugin folder's own modules are found and shared within the run`() async throws {
    let end = try await WorkerPool.once(
      .fetching(
        "local d = require 'dates' return {{id = d.name, same = d == require 'dates'}}",
        libraries: ["dates": "return { name = ... }"]))
    let item = try #require(try end.result.get().items.first)
    #expect(item.id == "dates")
    #expect(item.fields["same"] == true)
  }

  @Test func `an error in a module of the plugin has the module's file`() async throws {
    let syntax = try await WorkerPool.once(
      .fetching("", libraries: ["dates": "return {\n\n= }"]))
    #expect(syntax.failure?.code == .invalidPlugin)
    #expect(syntax.failure?.file == "lib/dates.lua")
    #expect(syntax.failure?.line == 3)
    let raised = try await WorkerPool.once(
      .fetching("require 'dates'", libraries: ["dates": "\nerror 'no'"]))
    #expect(raised.failure?.file == "lib/dates.lua")
    #expect(raised.failure?.line == 2)
  }

  @Test func `an undefined global is an error with a hint`() async throws {
    let end = try await WorkerPool.once(.fetching("\nprint('x')"))
    #expect(end.failure?.message == "undefined global 'print': use require \"log\"")
    #expect(end.failure?.line == 3)
  }

  @Test func `the host cannot be called while the plugin is loaded`() async throws {
    let end = try await WorkerPool.once(
      .text("require('http').get('http://a.test/') return { fetch = function() end }"))
    #expect(end.failure?.code == .invalidPlugin)
    #expect(
      end.failure?.message
        == "http.request is not possible while the file is loading; call it in fetch or in a"
        + " hook's function")
  }

  @Test func `many runs of many plugins all end`() async throws {
    let pool = try WorkerPool.forTests { $0.workersMax = 3 }
    let ends = await withTaskGroup { group in
      for number in 0..<60 {
        group.addTask {
          let plugin = PluginSource.fetching("-- \(number % 6)\nreturn {{id = ctx.options.id}}")
          var run = WorkerRun(plugin: plugin, seed: 1)
          run.arguments = ValueObject([("options", ["id": .string("\(number)")])])
          return (number, await pool.run(run, calls: NoCalls()))
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for (number, end) in ends { #expect(end.products?.items.first?.id == "\(number)") }
    #expect(ends.count == 60)
    await pool.shutdown()
  }
}
