import Foundation

/// The least possible cost of the work: curl for the fetch, xmllint for the parse, sqlite3 for the
/// store.
///
/// The phases are made so that the cost per feed need not grow with the number of feeds. All
/// addresses are in one section of curl's config, and one condition holds for them all
/// (`If-Modified-Since`). sqlite3 inserts rows of another database, in one transaction, and does
/// not parse SQL with the texts of all items.
struct Floor {
  static let transfersMax = 100

  let farm: FeedFarm
  let server: FeedServer
  let hosts: FarmFeed.Hosts
  let count: Int
  let scratch: URL

  /// The path of the store for all phases of a repeat.
  private var database: URL { scratch.appending(path: "floor.sqlite") }
  private var source: URL { scratch.appending(path: "floor-items.sqlite") }
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
      fetch: try fetch(modifiedSince: nil, expecting: all), parse: try parse(all),
      store: try store(all))
  }

  /// Measures another fetch of what has changed after `date`, in seconds since 1970. Only the feeds
  /// in `changed` are downloaded, parsed and stored again.
  func again(modifiedSince date: Int, changed: [Int]) throws -> Cost {
    let fetch = try fetch(modifiedSince: date, expecting: changed)
    guard !changed.isEmpty else { return Cost(fetch: fetch) }
    return Cost(fetch: fetch, parse: try parse(changed), store: try store(changed))
  }

  private func fetch(modifiedSince date: Int?, expecting: [Int]) throws -> Usage {
    try? FileManager.default.removeItem(at: bodies)
    try FileManager.default.createDirectory(at: bodies, withIntermediateDirectories: true)
    var text = "parallel\nparallel-max = \(Self.transfersMax)\nno-progress-meter\ncompressed\n"
    if let date { text += "header = \"If-Modified-Since: \(Self.text(of: date))\"\n" }
    for number in 0..<count {
      text += "url = \"\(server.url(of: farm.feeds[number], hosts: hosts))\"\n"
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

  /// Returns a date as HTTP writes it (RFC 9110, 5.6.7).
  private static func text(of date: Int) -> String {
    var seconds = time_t(date)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private func parse(_ numbers: [Int]) throws -> Usage {
    let files = numbers.map { "\(bodies.path)/\($0).xml" }
    let usage = try ChildProcess("xmllint", ["--stream", "--noout"] + files).wait()
    try usage.check("xmllint")
    return usage
  }

  private func store(_ numbers: [Int]) throws -> Usage {
    try writeSource(numbers)
    // The table in `source` has no key, so sqlite3 inserts its rows one by one. sqlite3 could copy
    // the pages of a table with the same schema.
    let usage = try ChildProcess(
      "sqlite3",
      [
        "-bail", database.path,
        """
        PRAGMA journal_mode=WAL;
        PRAGMA synchronous=FULL;
        ATTACH '\(source.path)' AS source;
        BEGIN;
        CREATE TABLE IF NOT EXISTS items(
          feed INTEGER, guid TEXT, title TEXT, link TEXT, date INTEGER, text TEXT,
          PRIMARY KEY(feed, guid));
        INSERT OR IGNORE INTO main.items SELECT * FROM source.items;
        COMMIT;
        """,
      ]
    ).wait()
    try usage.check("sqlite3")
    return usage
  }

  /// Writes the items of the feeds into a table of another database. The cost of the writing is not
  /// measured.
  private func writeSource(_ numbers: [Int]) throws {
    unlink(source.path)
    let script = scratch.appending(path: "floor.sql")
    try Data().write(to: script)
    let file = try FileHandle(forWritingTo: script)
    try file.write(
      contentsOf: Data(
        """
        PRAGMA synchronous=OFF;
        BEGIN;
        CREATE TABLE items(
          feed INTEGER, guid TEXT, title TEXT, link TEXT, date INTEGER, text TEXT);

        """.utf8))
    for number in numbers { try file.write(contentsOf: Data(statement(for: number))) }
    try file.write(contentsOf: Data("COMMIT;\n".utf8))
    try file.close()
    let input = open(script.path, O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    try ChildProcess("sqlite3", ["-bail", source.path], input: input).wait().check("sqlite3")
  }

  /// Returns one SQL statement on one line that inserts all items of a feed.
  private func statement(for number: Int) -> [UInt8] {
    var sql = Array("INSERT INTO items VALUES".utf8)
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
