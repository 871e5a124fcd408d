import Synchronization

/// A server of one file on loopback that misbehaves at random, from a seed. `Manners` says how
/// often the server cuts connections, sends wrong headers or ranges, changes the file, ignores
/// `Range` or answers with an error.
package final class NastyServer: Sendable {
  /// The probabilities of faults in percent, and the validators that the server sends.
  package struct Manners: Sendable {
    package var cut = 0
    /// The percentage of cut connections that end by RST, which loses data in flight.
    package var resetOfCut = 0
    package var lie = 0
    package var change = 0
    package var ignoreRange = 0
    package var refuse = 0
    /// Whether the server sends `ETag` in addition to `Last-Modified`.
    package var hasTags = true

    package init() {}

    package static let honest = Manners()
    package static let cutting: Manners = {
      var manners = Manners()
      manners.cut = 80
      manners.resetOfCut = 30
      return manners
    }()
    package static let worst: Manners = {
      var manners = Manners()
      (manners.cut, manners.resetOfCut, manners.lie, manners.change) = (60, 30, 25, 8)
      (manners.ignoreRange, manners.refuse) = (5, 10)
      return manners
    }()
  }

  private struct State: Sendable {
    var random: UInt64
    var manners: Manners
    var pattern: FilePattern
    var versions: [FilePattern]
    var sentBytes: Int64 = 0

    mutating func next() -> UInt64 {
      random &+= 0x9E37_79B9_7F4A_7C15
      var mixed = random
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int64) -> Int64 { Int64(next() % UInt64(max(1, bound))) }
    mutating func happens(_ percent: Int) -> Bool { below(100) < Int64(percent) }
  }

  private let state: Mutex<State>
  private let server: ScriptedServer

  package init(seed: UInt64, size: Int64, _ manners: Manners = .honest) throws {
    let pattern = FilePattern(size: size)
    let state = State(random: seed, manners: manners, pattern: pattern, versions: [pattern])
    self.state = Mutex(state)
    let owner = Owner()
    server = try ScriptedServer { request, connection in
      owner.server?.answer(request, connection)
    }
    owner.set(self)
  }

  /// The weak reference through which the script finds the server. With a strong reference, the
  /// server would never be released.
  private final class Owner: Sendable {
    private struct Weak: Sendable { weak var server: NastyServer? }
    private let held = Mutex(Weak())
    var server: NastyServer? { held.withLock { $0.server } }
    func set(_ server: NastyServer) { held.withLock { $0.server = server } }
  }

  deinit { server.stop() }

  package var url: String { server.url + "/file" }
  package var port: UInt16 { server.port }
  package var requests: [ScriptedServer.Request] { server.requests }
  package var pattern: FilePattern { state.withLock { $0.pattern } }
  /// All versions of the file, the first one first.
  package var versions: [FilePattern] { state.withLock { $0.versions } }
  /// The number of body bytes that the connections accepted.
  package var sentBytes: Int64 { state.withLock { $0.sentBytes } }

  package func change(size: Int64? = nil) {
    state.withLock { state in
      state.pattern = FilePattern(
        version: state.versions.count + 1, size: size ?? state.pattern.size)
      state.versions.append(state.pattern)
    }
  }

  package func setManners(_ manners: Manners) { state.withLock { $0.manners = manners } }

  // MARK: Answering

  private struct Answer: Sendable {
    var status: Int
    var headers: [String]
    var range: Range<Int64>
    var pattern: FilePattern
    /// The number of body bytes after which the server closes the connection, or nil if the
    /// connection stays open.
    var cutAfter: Int64?
    var isReset = false
  }

  private func answer(_ request: ScriptedServer.Request, _ connection: ScriptedConnection) {
    let answer = state.withLock { Self.answer(request, &$0) }
    let head = ["HTTP/1.1 \(answer.status) Said"] + answer.headers + ["", ""]
    connection.send(head.joined(separator: "\r\n"))
    let end = answer.cutAfter.map { min(answer.range.lowerBound + $0, answer.range.upperBound) }
    send(answer.pattern, answer.range.lowerBound..<(end ?? answer.range.upperBound), connection)
    if answer.isReset { connection.reset() } else if end != nil { connection.close() }
  }

  private static let chunkBytes: Int64 = 64 << 10

  private func send(
    _ pattern: FilePattern, _ range: Range<Int64>, _ connection: ScriptedConnection
  ) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let next = min(offset + Self.chunkBytes, range.upperBound)
      // The client may have the bytes before this thread continues, so they count already.
      state.withLock { $0.sentBytes += next - offset }
      let unsent = next - offset - Int64(connection.sendCounted(pattern.bytes(offset..<next)))
      if unsent > 0 {
        state.withLock { $0.sentBytes -= unsent }
        return connection.close()
      }
      offset = next
    }
  }

  private static func answer(_ request: ScriptedServer.Request, _ state: inout State) -> Answer {
    if state.happens(state.manners.change) {
      let size = state.below(2 * state.pattern.size + 1)
      state.pattern = FilePattern(version: state.versions.count + 1, size: size)
      state.versions.append(state.pattern)
    }
    var answer = honest(request, &state)
    if state.happens(state.manners.refuse) {
      let status = [416, 503, 429, 500][Int(state.below(4))]
      answer = Answer(
        status: status, headers: ["Content-Length: 0"], range: 0..<0, pattern: state.pattern)
    }
    if state.happens(state.manners.lie) { lie(in: &answer, &state) }
    if state.happens(state.manners.cut) {
      answer.cutAfter = state.below(Int64(answer.range.count) + 1)
      answer.isReset = state.happens(state.manners.resetOfCut)
    }
    return answer
  }

  private static func honest(_ request: ScriptedServer.Request, _ state: inout State) -> Answer {
    let (pattern, size) = (state.pattern, state.pattern.size)
    let tag = "\"v\(pattern.version)\""
    let date = modificationDate(of: pattern.version)
    let validators =
      [
        "Date: Mon, 07 Nov 1994 08:49:37 GMT", "Last-Modified: \(date)",
      ] + (state.manners.hasTags ? ["ETag: \(tag)"] : [])
    let condition = request.header("If-Range")
    let start = request.header("Range").flatMap { Int64($0.dropFirst(6).dropLast()) }
    let isSame = condition == nil || condition == tag || condition == date
    guard let start, isSame, !state.happens(state.manners.ignoreRange) else {
      return Answer(
        status: 200, headers: validators + ["Content-Length: \(size)"], range: 0..<size,
        pattern: pattern)
    }
    guard start < size else {
      return Answer(
        status: 416, headers: validators + ["Content-Range: bytes */\(size)", "Content-Length: 0"],
        range: 0..<0, pattern: pattern)
    }
    return Answer(
      status: 206,
      headers: validators + [
        "Content-Range: bytes \(start)-\(size - 1)/\(size)", "Content-Length: \(size - start)",
      ], range: start..<size, pattern: pattern)
  }

  /// Returns a valid date that differs for each of the first 900 versions.
  private static func modificationDate(of version: Int) -> String {
    let hour = String(100 + 8 + version / 60 % 16).suffix(2)
    let minute = String(100 + version % 60).suffix(2)
    return "Sun, 06 Nov 1994 \(hour):\(minute):37 GMT"
  }

  /// Changes the headers or the range of an answer in one of eight random ways.
  private static func lie(in answer: inout Answer, _ state: inout State) {
    let count = Int64(answer.range.count)
    switch state.below(8) {
    case 0:
      set("Content-Length", "\(count + 1 + state.below(5_000))", in: &answer)
      answer.cutAfter = count
    case 1: set("Content-Range", "bytes 7-99/100", in: &answer)
    case 2: set("Content-Range", "bytes \(answer.range.lowerBound)-", in: &answer)
    case 3: answer.headers.removeAll { $0.hasPrefix("Content-Range") }
    case 4: set("ETag", "\"lie-\(state.next())\"", in: &answer)
    case 5:
      let start = answer.range.lowerBound
      set("Content-Range", "bytes \(start)-\(start + count)/\(start + count + 9)", in: &answer)
    case 6:
      // The answer has ten bytes before the range, and no Content-Length.
      guard answer.status == 206, answer.range.lowerBound > 10 else { return }
      answer.range = (answer.range.lowerBound - 10)..<answer.range.upperBound
      answer.headers.removeAll { $0.hasPrefix("Content-Length") }
      answer.cutAfter = Int64(answer.range.count)
    default:
      // For a whole file, a cut would not be detectable.
      guard answer.status == 206 else { return }
      answer.headers.removeAll { $0.hasPrefix("Content-Length") }
      answer.cutAfter = count
    }
  }

  private static func set(_ name: String, _ value: String, in answer: inout Answer) {
    answer.headers.removeAll { $0.hasPrefix(name + ":") }
    answer.headers.append("\(name): \(value)")
  }
}
