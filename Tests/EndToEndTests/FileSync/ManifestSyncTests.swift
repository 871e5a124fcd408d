import FetchTestSupport
import Foundation
import Testing

/// Tests of `file-sync` with a manifest whose entries are correct or wrong.
@Suite(.enabled(if: NginxFolders.isInstalled, "nginx is not installed"))
struct ManifestSyncTests {
  @Test func `a manifest is mirrored by its entity tags, and its hashes are checked`() throws {
    let server = try NginxFolders()
    let mirror = try Mirror(
      source: server.folder + "/files",
      address: "http://127.0.0.1:\(server.port)/html/list.json")
    defer { mirror.remove() }
    try mirror.write("a b%.txt", "one")
    try mirror.write("list.json", #"[{"path": "a b%.txt", "etag": "1"}]"#, at: 1_700_000_000)
    #expect(try mirror.run().outcome == "newData +1 ~0 -0")
    #expect(try mirror.texts() == ["a b%.txt": "one"])
    for _ in 1...2 {
      let again = try mirror.run()
      #expect(again.outcome == "noData notModified")
      #expect(again.messages == [])
    }
    try mirror.write("a b%.txt", "two")
    try mirror.write("list.json", #"[{"path": "a b%.txt", "etag": "2"}]"#, at: 1_700_000_100)
    #expect(try mirror.run().outcome == "newData +0 ~1 -0")
    #expect(try mirror.texts() == ["a b%.txt": "two"])
    #expect(try mirror.run().messages == [])
    // A file that does not match the manifest is not stored, and is requested again each time.
    let hash = String(repeating: "0", count: 64)
    try mirror.write(
      "list.json", "[{\"path\": \"a b%.txt\", \"sha256\": \"\(hash)\"}]", at: 1_700_000_200)
    for _ in 1...2 {
      let wrong = try mirror.run()
      #expect(wrong.messages.count == 1)
      #expect(wrong.messages.allSatisfy { $0.contains("not received") })
    }
    #expect(try mirror.texts() == ["a b%.txt": "two"])
  }

  @Test func `entity tags of one source are not used for the files of another source`() throws {
    let server = try NginxFolders()
    var mirror = try Mirror(
      source: server.folder + "/files", address: "http://127.0.0.1:\(server.port)/html/list.json")
    defer { mirror.remove() }
    try mirror.write("a", "one")
    try mirror.write("list.json", #"[{"path": "a", "etag": "1"}]"#)
    try mirror.write("other/a", "two")
    try mirror.write("other/list.json", #"[{"path": "a", "etag": "1"}]"#)
    #expect(try mirror.run().outcome == "newData +1 ~0 -0")
    #expect(try mirror.texts() == ["a": "one"])
    // A different value of an unrelated option does not cause the files to be fetched again.
    #expect(try mirror.run(["max_delete": "7"]).messages == [])
    mirror.address = "http://127.0.0.1:\(server.port)/html/other/list.json"
    #expect(try mirror.run().messages == ["fetchrun: mirror: a: 3 bytes received"])
    #expect(try mirror.texts() == ["a": "two"])
    #expect(try mirror.run().messages == [])
  }

  @Test func `sizes and times that no file can have are ignored`() throws {
    let server = try NginxFolders()
    let mirror = try Mirror(
      source: server.folder + "/files", address: "http://127.0.0.1:\(server.port)/html/list.json")
    defer { mirror.remove() }
    let told = [
      #""size": -5, "etag": "1""#, #""size": 1e300, "etag": "1""#, #""size": "0x", "etag": "1""#,
      #""size": 3, "modified": "0001-01-01T00:00:00Z""#,
      #""size": 3, "modified": "1601-01-01T00:00:00Z""#,
      #""size": 3, "modified": "9999-12-31T23:59:59Z""#,
      #""size": 3, "modified": "once""#, #""size": 3, "modified": "1965-01-01T00:00:00Z""#,
    ]
    for number in told.indices { try mirror.write("\(number)", "abc") }
    let entries = told.enumerated().map { "{\"path\": \"\($0)\", \($1)}" }
    try mirror.write("list.json", "[\(entries.joined(separator: ","))]")
    let run = try mirror.run()
    #expect(run.outcome == "newData +8 ~0 -0")
    #expect(run.messages.count == 8 && run.messages.allSatisfy { $0.hasSuffix(" received") })
    for _ in 1...2 { #expect(try mirror.run().messages == []) }
    // The manifest changes the time of one of the files.
    try mirror.write(
      "list.json", "[\(entries.joined(separator: ",").replacing("9999", with: "9998"))]",
      at: 1_700_000_100)
    #expect(try mirror.run().messages == ["fetchrun: mirror: 5: 3 bytes received"])
    #expect(try mirror.run().messages == [])
  }

  @Test func `files with paths and addresses of a megabyte fail without affecting others`() throws {
    let server = try NginxFolders()
    let mirror = try Mirror(
      source: server.folder + "/files", address: "http://127.0.0.1:\(server.port)/html/list.json")
    defer { mirror.remove() }
    let deep = String(repeating: "x/", count: 500_000) + "z"
    let long = String(repeating: "y", count: 1_000_000)
    try mirror.write("a", "abc")
    try mirror.write(
      "list.json",
      """
      [{"path": "\(deep)"}, {"path": "\(long)"}, {"path": "b", "url": "/\(long)", "etag": "1"}, \
      {"path": "a", "etag": "\(long)", "modified": "\(long)", "sha256": "\(long)"}]
      """)
    let run = try mirror.run(["include": "*"])
    #expect(run.outcome == "newData +4 ~0 -0")
    #expect(
      run.changes.values.count { $0 == "added: its path is longer than 4095 bytes" } == 2)
    #expect(run.changes.keys.allSatisfy { $0.utf8.count <= 220 })
    #expect(run.changes["b"]?.hasSuffix("is longer than 8000 bytes") == true)
    #expect(try mirror.texts() == ["a": "abc"])
    #expect(try mirror.run(["include": "*"]).outcome.hasPrefix("noData "))
  }
}
