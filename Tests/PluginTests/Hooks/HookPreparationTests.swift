import FetchEngine
import FetchHost
import FetchModel
import FetchTestSupport
import Foundation
import Testing

/// Tests of the preparation of hooks whose files do not load.
@Suite struct HookPreparationTests {
  @Test func `a hook stays unchanged while no worker can inspect its file`() async throws {
    let bench = try await PluginBench()
    let path = bench.folder.path + "/room.lua"
    try Data("return {".utf8).write(to: URL(filePath: path))
    let config = HookConfig(name: "room", sink: .lua(LuaHookSettings(file: path)))
    let before = try await HookPreparation(shelf: bench.shelf).prepare([config], standingIn: true)
    let workers = WorkerPool(
      configuration: WorkerPoolConfiguration(executable: "/nowhere/worker"))
    let shelf = PluginShelf(folders: PluginFolders([]), workers: workers)
    let after = await HookPreparation(shelf: shelf).prepareAgain(before)
    await workers.shutdown()
    try await bench.close()
    #expect(before["room"]?.file.loadFailure != nil)
    #expect(after["room"] == before["room"])
  }
}
