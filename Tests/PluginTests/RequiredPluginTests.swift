import FetchEngine
import FetchModel
import FetchValues
import Foundation
import Testing

/// Tests of the files that `require "name"` finds.
@Suite struct RequiredPluginTests {
  /// Files below a temporary folder. `a` and `b` are plugin folders.
  private struct Shelf {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "fetchrun-required-\(UUID().uuidString)")
    var path: String { folder.path }
    var folders: PluginFolders { PluginFolders([path + "/a", path + "/b"]) }

    init(_ files: [String: String]) throws {
      for (name, text) in files {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Returns the names that `own/probe.lua` requires, each with its text.
    func found() throws -> [String: String] {
      let source = try folders.load(path + "/own/probe.lua").source
      return Dictionary(
        uniqueKeysWithValues: source.libraries.map {
          ($0.name, String(decoding: $0.text, as: UTF8.self))
        })
    }
  }

  @Test func `the file's own folder is searched first, then the plugin folders in their order`()
    throws
  {
    let shelf = try Shelf([
      "own/probe.lua": "require 'one' require 'two' require 'three'",
      "own/lib/one.lua": "-- own lib", "a/one.lua": "-- a", "own/two.lua": "-- own",
      "a/two.lua": "-- a", "b/two.lua": "-- b", "b/three.lua": "-- b",
    ])
    defer { shelf.remove() }
    #expect(try shelf.found() == ["one": "-- own lib", "two": "-- own", "three": "-- b"])
  }

  @Test func `the modules of a required plugin are first searched for in its own folder`() throws {
    let shelf = try Shelf([
      "own/probe.lua": "require 'base'", "b/base.lua": "require 'help'",
      "b/lib/help.lua": "-- b", "a/help.lua": "-- a",
    ])
    defer { shelf.remove() }
    #expect(try shelf.found() == ["base": "require 'help'", "help": "-- b"])
  }

  @Test func `two files with one name are refused, and the message has both`() throws {
    let shelf = try Shelf([
      "own/probe.lua": "require 'help' require 'base'", "own/help.lua": "-- own",
      "b/base.lua": "require 'help'", "b/help.lua": "-- b",
    ])
    defer { shelf.remove() }
    let failure = #expect(throws: Failure.self) { try shelf.found() }
    let own = shelf.path + "/own"
    #expect(
      failure?.message
        == "\(own)/probe.lua needs two files named 'help', \(shelf.path)/b/help.lua and "
        + "\(own)/help.lua: rename one")
  }

  @Test func `the names of modules always stand for the modules`() throws {
    let shelf = try Shelf(["own/probe.lua": "require 'http'", "a/http.lua": "-- another"])
    defer { shelf.remove() }
    #expect(try shelf.found().isEmpty)
  }

  @Test(arguments: [
    "../secret", "/etc/passwd", "a/../secret", "..", ".hidden", "x\0y",
    String(repeating: "x", count: 65), "secret.lua/", "~/secret",
  ])
  func `a name cannot lead out of the plugin folders`(name: String) throws {
    let shelf = try Shelf([
      "own/probe.lua": "require \"\(name)\"", "secret.lua": "-- secret", "own/.hidden.lua": "",
      "a/.hidden.lua": "", "own/\(String(repeating: "x", count: 65)).lua": "",
    ])
    defer { shelf.remove() }
    #expect(try shelf.found().isEmpty)
  }

  @Test func `the possible paths of a missing file are watched`() throws {
    let shelf = try Shelf(["own/probe.lua": "require 'base'", "b/base.lua": "require 'more'"])
    defer { shelf.remove() }
    let places = shelf.folders.places(of: shelf.path + "/own/probe.lua")
    let expected = [
      "own/probe.lua", "own/lib/base.lua", "own/base.lua", "a/base.lua", "b/base.lua",
      "b/lib/more.lua", "b/more.lua", "a/more.lua",
    ]
    #expect(Set(places) == Set(expected.map { shelf.path + "/" + $0 }))
  }
}
