import Foundation

/// The least possible cost of the work: curl for the fetch, xmllint for the parse, sqlite3 for the
/// store.
struct Floor {
  static let transfersMax = 100

  let farm: FeedFarm
  let server: FeedServer
  let count: Int
  let scratch: URL

  /// The path of the store for all phases of a repeat.
  private var database: URL { scratch.appending(path: "floor.sqlite") }
  private var bodies: URL { scratch.appending(path: "floor-bodies") }

  struct Cost {
    var fetch = Usage()
    var parse = Usage()
    var store = Usage()
    var cpuSeconds: Double { fetch.cpuSeconds + parse.cpuSeconds + store.cpuSeconds }
  }

  /// Measures a first fetch, in which all items are new.
  func cold() throws -> Cost {
    for suffix in ["", "-wal", "-shm"] { unlink(database.path + suffix) }
    let all = Array(0..<count)
    return Cost(
      fetch: try fetch(entityTags: nil, expecting: all), parse: try parse(all),
      store: try store(all))
  }

  /// Measures another fetch with `entityTags`. Only the feeds in `changed` are downloaded, parsed
  /// and stored again.
  func again(entityTags: [String], changed: [Int]) throws -> Cost {
    let fetch = try fetch(entityTags: entityTags, expecting: changed)
    guard !changed.isEmpty else { return Cost(fetch: fetch) }
    return Cost(fetch: fetch, parse: try parse(changed), store: try store(changed))
  }

  private func fetch(entityTags: [String]?, expecting: [Int]) throws -> Usage {
    try? FileManager.default.removeItem(at: bodies)
    try FileManager.default.createDirectory(at: bodies, withIntermediateDirectories: true)
    var text = "parallel\nparallel-max = \(Self.transfersMax)\nno-progress-meter\ncompressed\n"
    for number in 0..<count {
      if let entityTags {
        if number > 0 { text += "next\nno-progress-meter\ncompressed\n" }
        let tag = entityTags[number].replacingOccurrences(of: "\"", with: "\\\"")
        text += "header = \"If-None-Match: \(tag)\"\n"
      }
      text += "url = \"\(server.url(of: farm.feeds[number]))\"\n"
      text += "output = \"\(bodies.path)/\(number).xml\"\n"
    }
    let settings = scratch.appending(path: "curl.conf")
    try text.write(to: settings, atomically: false, encoding: .utf8)
    let usage = try ChildProcess("curl", ["-q", "--config", settings.path]).wait()
    try usage.check("curl")
    let came = try FileManager.default.contentsOfDirectory(atPath: bodies.path)
    guard Set(came) == Set(expecting.map { "\($0).xml" }) else {
      throw BenchmarkError("curl got \(came.count) bodies instead of \(expecting.count)")
    }
    return usage
  }

  private func parse(_ numbers: [Int]) throws -> Usage {
    let files = numbers.map { "\(bodies.path)/\($0).xml" }
    let usage = try ChildProcess("xmllint", ["--stream", "--noout"] + files).wait()
    try usage.check("xmllint")
    return usage
  }

  private func store(_ numbers: [Int]) throws -> Usage {
    let script = scratch.appending(path: "floor.sql")
    try Data().write(to: script)
    let file = try FileHandle(forWritingTo: script)
    try file.write(
      contentsOf: Data(
        """
        PRAGMA journal_mode=WAL;
        PRAGMA synchronous=FULL;
        BEGIN;
        CREATE TABLE IF NOT EXISTS items(
          feed INTEGER, guid TEXT, title TEXT, link TEXT, date INTEGER, text TEXT,
          PRIMARY KEY(feed, guid));

        """.utf8))
    for number in numbers { try file.write(contentsOf: Data(statements(for: number))) }
    try file.write(contentsOf: Data("COMMIT;\n".utf8))
    try file.close()
    let input = open(script.path, O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    let usage = try ChildProcess("sqlite3", ["-bail", database.path], input: input).wait()
    try usage.check("sqlite3")
    return usage
  }

  /// Returns one SQL statement on one line that inserts all items of a feed. This form costs the
  /// shell of SQLite the least.
  private func statements(for number: Int) -> [UInt8] {
    var sql = Array("INSERT OR IGNORE INTO items VALUES".utf8)
    for (index, item) in farm.feeds[number].items().enumerated() {
      sql.append(contentsOf: "\(index > 0 ? "," : "")(\(number)".utf8)
      for text in [item.guid, item.title, item.link] { quote(text, into: &sql) }
      sql.append(contentsOf: ",\(item.date)".utf8)
      quote(item.text, into: &sql)
      sql.append(UInt8(ascii: ")"))
    }
    sql.append(contentsOf: ";\n".utf8)
    return sql
  }

  private func quote(_ text: [UInt8], into sql: inout [UInt8]) {
    sql.append(contentsOf: ",'".utf8)
    for byte in text {
      if byte == UInt8(ascii: "'") { sql.append(byte) }
      sql.append(byte == UInt8(ascii: "\n") ? UInt8(ascii: " ") : byte)
    }
    sql.append(UInt8(ascii: "'"))
  }
}
