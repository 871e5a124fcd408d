import FetchEngine
import FetchTestSupport
import Glibc
import Testing

@Suite struct ControlSocketPathTests {
  @Test func `the socket is beside the store`() throws {
    let folder = try TemporaryFolder.make("path")
    let store = folder + "/store.sqlite"
    #expect(try ControlSocketPath.of(store: store) == store + ".socket")
    #expect(ControlSocketPath.candidates(store: store) == [store + ".socket"])
  }

  @Test func `a store has one socket for all spellings of its path`() throws {
    let folder = try TemporaryFolder.make("path")
    try TemporaryFolder.makeFolder(folder + "/real")
    symlink("real", folder + "/link")
    let direct = try ControlSocketPath.of(store: folder + "/real/s")
    #expect(try ControlSocketPath.of(store: folder + "/link/s") == direct)
    #expect(try ControlSocketPath.of(store: folder + "/real/../link/./s") == direct)
    try TemporaryFolder.write("", to: folder + "/real/s")
    symlink(folder + "/real/s", folder + "/t")
    #expect(try ControlSocketPath.of(store: folder + "/t") == direct)
  }

  @Test func `a path that is too long for a socket is replaced by a hash in the runtime folder`()
    throws
  {
    let store = "/nowhere/" + String(repeating: "n", count: 120) + "/store.sqlite"
    let path = try ControlSocketPath.of(store: store, runtimeFolder: "/run/user/1")
    #expect(path.hasPrefix("/run/user/1/fetchrun-"))
    #expect(path.hasSuffix(".socket"))
    let other = try ControlSocketPath.of(store: store + "2", runtimeFolder: "/run/user/1")
    #expect(path != other)
    let candidates = ControlSocketPath.candidates(store: store, runtimeFolder: "/run/user/1")
    #expect(candidates.count == 2)
    #expect(candidates.last?.hasPrefix("/tmp/fetchrun-\(geteuid())/") == true)
    #expect(
      ControlSocketPath.candidates(store: store, runtimeFolder: nil) == [candidates[1]])
    #expect(
      ControlSocketPath.candidates(store: store, runtimeFolder: "relative") == [candidates[1]])
  }

  @Test func `the longest path that fits a socket is used unchanged`() throws {
    let folder = "/nowhere/"
    let fits = folder + String(repeating: "s", count: 107 - folder.count - ".socket".count)
    #expect(ControlSocketPath.candidates(store: fits) == [fits + ".socket"])
    #expect(ControlSocketPath.candidates(store: fits + "s", runtimeFolder: nil)[0].utf8.count < 107)
  }
}
