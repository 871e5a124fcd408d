import FetchAuthoring
import FetchEngine
import Foundation
import Testing

/// Tests of the commands that `fetchrun new` suggests.
@Suite struct NextStepsTests {
  @Test func `paths are quoted for the shell, where this is needed`() {
    #expect(
      NewPlugin(named: "ships", .rss, in: "my plugins").nextSteps == [
        "fetchrun test 'my plugins/ships.lua'",
        "fetchrun record 'my plugins/ships.lua' --case real --option url=ADDRESS",
        "fetchrun --plugin 'my plugins/ships.lua' --option url=ADDRESS",
      ])
    #expect(
      NewHook(named: "chat", in: "my hooks").nextSteps.prefix(2) == [
        "fetchrun check 'my hooks/chat.lua'",
        "fetchrun --plugin rss --option url=FEED_ADDRESS --hook 'my hooks/chat.lua'"
          + " --hook-option url=ADDRESS",
      ])
    #expect(NewHook(named: "chat", in: "").nextSteps.first == "fetchrun check chat.lua")
  }

  @Test func `the line for the config has the absolute path of the hook file, in quotes`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/a, b \(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let hook = NewHook(named: "chat", in: folder + "/../" + URL(filePath: folder).lastPathComponent)
    _ = try hook.write()
    let path = try #require(FileBytes.absolute(folder)) + "/chat.lua"
    #expect(
      hook.nextSteps.last == "in fetchrun.yaml: hooks: [{ name: chat, lua: { file: \"\(path)\", "
        + "options: { url: ADDRESS } } }]")
  }
}
