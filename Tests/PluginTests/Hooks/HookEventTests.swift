import FetchConfig
import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the events of which hook files are notified: the events of their functions, or the
/// events in the config.
@Suite struct HookEventTests {
  private func prepared(
    _ text: String, _ change: (inout HookConfig) -> Void = { _ in }
  ) async throws -> (hooks: LuaHooks, config: HookConfig) {
    let bench = try await PluginBench()
    let path = bench.folder.path + "/room.lua"
    try Data(text.utf8).write(to: URL(filePath: path))
    var config = HookConfig(name: "room", sink: .lua(LuaHookSettings(file: path)))
    config.events = []
    config.file = "fetchrun.yaml"
    config.place = (3, 5)
    change(&config)
    defer { Task { try? await bench.close() } }
    return (try await HookPreparation(shelf: bench.shelf).prepare([config]), config)
  }

  private func told(
    _ text: String, _ change: (inout HookConfig) -> Void = { _ in }
  ) async throws -> Set<HookEvent> {
    let (hooks, config) = try await prepared(text, change)
    let book = HookRegistry()
    book.set([config], lua: hooks)
    return try #require(book.all.first).events
  }

  private func problems(
    _ text: String, _ change: (inout HookConfig) -> Void = { _ in }
  ) async throws -> [String] {
    do {
      return try await prepared(text, change).hooks.warnings.map { "\($0)" }
    } catch let problems as ConfigProblems { return problems.all.map { "\($0)" } }
  }

  private static func file(_ functions: HookFunction...) -> String {
    "return { " + functions.map { "\($0.rawValue) = function() end" }.joined(separator: ", ") + " }"
  }

  private func on(_ events: HookEvent...) -> (inout HookConfig) -> Void {
    { config in
      config.eventPlaces = events.enumerated().map { ($1, 4, 10 + $0) }
      config.events = Set(events)
      config.namesEvents = true
    }
  }

  @Test func `the functions of a hook file select the events, unless the config lists them`()
    async throws
  {
    let all = Self.file(.beforeRun, .onItem, .onNewData, .onNoData, .onFailed, .onRecovered)
    #expect(try await told(Self.file(.beforeRun, .onItem)) == [])
    #expect(try await told(Self.file(.onNewData)) == [.added, .updated, .removed])
    #expect(try await told(Self.file(.onNoData, .onRecovered)) == [.noData, .recovered])
    #expect(
      try await told(all) == [.added, .updated, .removed, .noData, .failed, .recovered])
    let quiet = try await told(Self.file(.onFailed)) { $0.quietAfter = .seconds(60) }
    #expect(quiet == [.failed, .stale])
    #expect(try await told(all, on(.updated, .failed)) == [.updated, .failed])
    #expect(try await told(all, on()) == [])
  }

  @Test func `an event without a function is a mistake, reported at its place in the config`()
    async throws
  {
    let found = try await problems(Self.file(.onNewData), on(.removed, .noData, .stale))
    #expect(found.count == 2)
    #expect(found[0].hasPrefix("fetchrun.yaml:4:11: hook 'room': `on` contains 'noData', but "))
    #expect(found[0].hasSuffix("/room.lua has no function on_no_data"))
    #expect(found[1].hasPrefix("fetchrun.yaml:4:12: hook 'room': `on` contains 'stale', but "))
    #expect(found[1].hasSuffix("/room.lua has no function on_failed"))
    let stale = try await problems(Self.file(.onNewData)) { $0.staleAfter = .seconds(60) }
    #expect(stale.count == 1)
    #expect(
      stale[0].hasPrefix("fetchrun.yaml:3:5: hook 'room': `stale_after` and `quiet_after` need the")
    )
  }

  @Test func `a function that is never called causes a warning`() async throws {
    let file = Self.file(.beforeRun, .onItem, .onNewData, .onFailed, .onRecovered)
    let found = try await problems(file, on(.updated, .stale))
    #expect(found.count == 1)
    #expect(
      found[0].hasPrefix(
        "fetchrun.yaml:4:10: warning: hook 'room': `on` does not contain 'recovered', so "
          + "on_recovered of "))
    #expect(found[0].hasSuffix("/room.lua is never called"))
    #expect(try await problems(file) == [])
  }
}
