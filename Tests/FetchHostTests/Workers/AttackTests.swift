import FetchHost
import FetchModel
import FetchValues
import Foundation
import Testing

/// Tests with one Lua file per attack. The first line of the file has the allowed ends of the run,
/// `-- expect: CODE ...`. The end `noData` means that the attack has no effect.
struct AttackTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "LuaVMTests/Attacks")

  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".lua") }.sorted()
  }()

  @Test func `each attack ends only its own run, within its limits, while another continues`()
    async throws
  {
    try #require(Self.names.count > 50)
    let pool = try WorkerPool.forTests()
    for name in Self.names { try await attack(name, pool) }
    await pool.shutdown()
  }

  private func attack(_ name: String, _ pool: WorkerPool) async throws {
    let text = try Data(contentsOf: Self.folder.appending(path: name))
    var expected = Self.expectations(text)
    // An invalid value may be rejected as an item before the attack has an effect.
    if name.hasPrefix("value-") { expected.append("invalidItem") }
    let plugin = PluginSource(name: name, fileName: name, text: Array(text))
    var run = WorkerRun(plugin: plugin, seed: 1)
    run.limits.cpu = .milliseconds(100)
    run.limits.memoryBytes = 16 << 20
    let began = ContinuousClock.now
    async let innocentEnd = pool.run(Self.innocent, calls: NoCalls())
    let end = await pool.run(run, calls: NoCalls())
    let innocent = await innocentEnd
    let code = end.failure?.code.rawValue ?? "noData"
    #expect(expected.contains(code), "\(name): \(code) \(end.failure?.message ?? "")")
    #expect(
      innocent.products?.items.count == 100, "\(name): \(String(describing: innocent.failure))")
    // The window is wall time, and the machine may be busy. The CPU time is checked below.
    #expect(began.duration(to: .now) < run.limits.window, "\(name)")
    #expect(end.usage.cpu <= run.limits.cpu * 2, "\(name): \(end.usage.cpu)")
  }

  private static let innocent = WorkerRun(
    plugin: .fetching(
      "local items = {} for i = 1, 100 do items[i] = {id = tostring(i)} end return items"),
    seed: 1)

  private static func expectations(_ text: Data) -> [String] {
    let first = String(decoding: text, as: UTF8.self).prefix { $0 != "\n" }
    guard let colon = first.firstIndex(of: ":") else { return [] }
    return first[first.index(after: colon)...].split { $0 == " " || $0 == "," }.map(String.init)
  }
}
