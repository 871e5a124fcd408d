import FetchValues
import Foundation
import Testing

@testable import FetchConfig

/// Tests of plugins that are not run because other users can write their files.
struct PluginTrustTests {
  /// Returns the reason why a plugin is not run, without its folder's path.
  private func problem(
    _ modes: [(String, Int)] = [], prepare: (String) throws -> Void = { _ in }
  ) throws -> String? {
    let folder = try ConfigFolder(["plugins/a.lua": "return {}"])
    defer { folder.remove() }
    try prepare(folder.path)
    for (name, mode) in [("", 0o700), ("plugins", 0o755), ("plugins/a.lua", 0o644)] + modes {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: folder.path + "/" + name)
    }
    return ConfigTrust.problem(ofPlugin: folder.path + "/plugins/a.lua")?
      .replacing(folder.path, with: "FOLDER")
  }

  @Test func `a plugin of the user's own, or in a sticky folder, is run`() throws {
    #expect(try problem() == nil)
    #expect(try problem([("plugins", 0o1777)]) == nil)
    #expect(ConfigTrust.problem(ofPlugin: "/nonexistent/a.lua") == nil)
    #expect(ConfigTrust.problem(ofPlugin: "/usr/bin/env") == nil)
  }

  @Test(arguments: [0o666, 0o646])
  func `a plugin that others can write is refused with advice`(mode: Int) throws {
    #expect(
      try problem([("plugins/a.lua", mode)])
        == "run `chmod go-w FOLDER/plugins/a.lua`: others can write FOLDER/plugins/a.lua, which is run "
        + "as Lua code")
  }

  @Test func `a plugin in a folder that others can write is refused with advice`() throws {
    #expect(
      try problem([("plugins", 0o777)])
        == "run `chmod go-w FOLDER/plugins`: others can write the folder FOLDER/plugins, and "
        + "FOLDER/plugins/a.lua is run as Lua code")
  }

  @Test func `a plugin found through a link in a folder that others can write is refused`() throws {
    let found = try problem([("open", 0o777)]) { folder in
      let files = FileManager.default
      try files.moveItem(atPath: folder + "/plugins", toPath: folder + "/safe")
      try files.createDirectory(
        atPath: folder + "/open", withIntermediateDirectories: false)
      try files.createSymbolicLink(
        atPath: folder + "/open/way", withDestinationPath: "../safe")
      try files.createSymbolicLink(
        atPath: folder + "/plugins", withDestinationPath: "open/way")
    }
    #expect(
      found == "run `chmod go-w FOLDER/open`: others can write the folder FOLDER/open, and "
        + "FOLDER/plugins/a.lua is run as Lua code")
  }

  static let groups: [(user: PrivateGroup.User, group: PrivateGroup.Group, isPrivate: Bool)] = [
    (.init(id: 1000, name: "ann", group: 1000), .init(id: 1000, name: "ann", members: []), true),
    (
      .init(id: 1000, name: "ann", group: 1000), .init(id: 1000, name: "ann", members: ["ann"]),
      true
    ),
    (
      .init(id: 1000, name: "ann", group: 1000), .init(id: 1000, name: "ann", members: ["bob"]),
      false
    ),
    (.init(id: 1000, name: "ann", group: 100), .init(id: 100, name: "users", members: []), false),
    (.init(id: 1000, name: "ann", group: 100), .init(id: 1000, name: "ann", members: []), false),
    (.init(id: 0, name: "root", group: 0), .init(id: 0, name: "root", members: []), false),
  ]

  @Test(arguments: groups.indices)
  func `a group is private if it has the user's name and no other member`(index: Int) {
    let (user, group, isPrivate) = Self.groups[index]
    #expect(PrivateGroup.isPrivate(group, of: user) == isPrivate)
  }
}
