import CHost
import FetchModel
import FetchValues

/// The raw result of a transfer. The head is not parsed, and the body is not decoded.
struct EngineTransferEnd: Sendable {
  var fault: HTTPFault?
  var head: [UInt8] = []
  var body: [UInt8] = []
  var receivedBytes = 0
}

/// One hop in libcurl. libcurl's callbacks have a pointer to this object.
///
/// SAFETY: after `EngineMailbox.post` has accepted the object, only the engine's thread uses it.
final class EngineTransfer: @unchecked Sendable {
  let id: UInt64
  let hop: HTTPHop
  private let continuation: CheckedContinuation<EngineTransferEnd, Never>
  /// The lengths for which memory is reserved for the headers of a request and of an answer.
  private static let (requestBytesUsual, answerBytesUsual) = (512, 512)

  private(set) var easy: UnsafeMutableRawPointer?
  private var headerList: CurlList?
  private var end = EngineTransferEnd()
  /// The fault for which a callback stopped the transfer; nil if there is none. libcurl's own
  /// result code for a stopped transfer differs between versions. A callback also stops the
  /// transfer if it sets `refused` or `isEnough`.
  private var abortFault: HTTPFault?
  private var isHeadComplete = false
  private var lengthLines = LengthLines()
  private var refused: IPAddress?
  /// The sink's decision about the body, made when the sink received the head.
  private var wish = BodyWish.pass
  private var passedBytes = 0
  private var isEnough = false

  init(
    id: UInt64, hop: HTTPHop, continuation: CheckedContinuation<EngineTransferEnd, Never>
  ) {
    self.id = id
    self.hop = hop
    self.continuation = continuation
  }

  /// Gives the transfer libcurl's handle, whose options have their defaults. Returns false if a
  /// header line contains a line break or a NUL character. libcurl would send a line break as it
  /// is, and a second request could follow it. Such a transfer must not begin.
  func open(_ easy: UnsafeMutableRawPointer) -> Bool {
    self.easy = easy
    let context = Unmanaged.passUnretained(self).toOpaque()
    CurlOptions.apply(hop, to: easy, context: context)
    let lines = headerLines
    if lines.hasBreaks { return false }
    let list = lines.list
    headerList = list
    _ = ccurl_set_list(easy, CURLOPT_HTTPHEADER, list.first)
    return true
  }

  /// The header lines in libcurl's syntax: `name;` sends a header without a value, and `name:`
  /// removes a header that libcurl would send.
  private var headerLines: CurlLines {
    var lines = CurlLines(reserving: Self.requestBytesUsual, lines: hop.headers.count + 2)
    for field in hop.headers {
      lines.append { line in
        line += field.name.utf8
        if field.value.isEmpty { return line.append(UInt8(ascii: ";")) }
        line.append(UInt8(ascii: ":"))
        line.append(UInt8(ascii: " "))
        field.appendValue(to: &line)
      }
    }
    // libcurl adds these headers to requests with a body.
    if CurlOptions.hasBody(hop) {
      lines.append("Expect:")
      if !hop.headers.contains(where: \.isContentType) { lines.append("Content-Type:") }
    }
    return lines
  }

  /// Prevents the reuse of this hop's connection.
  func closeConnection() {
    if let easy { _ = ccurl_set_long(easy, CURLOPT_FORBID_REUSE, 1) }
  }

  /// Takes libcurl's handle out of the transfer; nil if it has none.
  func close() -> UnsafeMutableRawPointer? {
    defer { easy = nil }
    return easy
  }

  /// Ends the transfer. Call this function only once, and only when the transfer has no handle.
  func finish(_ fault: HTTPFault?) {
    end.fault = fault
    headerList = nil
    continuation.resume(returning: end)
  }

  /// Returns the fault for libcurl's result; nil if the answer is complete, or if the rest of its
  /// body is not needed.
  func fault(of result: CURLcode) -> HTTPFault? {
    guard let easy else { return .engine("libcurl created no handle") }
    if isEnough { return nil }
    if let abortFault { return abortFault }
    // libcurl 7.88 accepts an answer whose head is incomplete.
    if result == CURLE_OK { return isHeadComplete ? nil : end.head.isEmpty ? .noAnswer : .cut }
    if let refused { return .refusedAddress(refused) }
    return CurlFault.fault(
      of: result, easy: easy, hop: hop, hasAnswer: !end.head.isEmpty,
      isHeadComplete: isHeadComplete)
  }

  // MARK: What libcurl's callbacks do

  func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    end.receivedBytes += line.count
    if isHeadComplete { return true }
    if line.first == UInt8(ascii: "H"), line.starts(with: "HTTP/".utf8) {
      end.head.removeAll(keepingCapacity: true)
      end.head.reserveCapacity(Self.answerBytesUsual)
      lengthLines = LengthLines()
    }
    lengthLines.take(line)
    guard end.head.count + line.count <= ResponseHead.bytesMax else {
      return abort(.headersTooLong)
    }
    end.head.append(contentsOf: line)
    let isBlank = line.count <= 2 && line.allSatisfy { $0 == 0x0D || $0 == 0x0A }
    if isBlank { isHeadComplete = !isInterim }
    if isHeadComplete, !lengthLines.isPlain, !checkLength() { return false }
    if isHeadComplete, let sink = hop.sink { return announce(to: sink) }
    return true
  }

  /// Checks the fields that give the length of the body, if the answer can have a body. Returns
  /// false if the length is unclear or the head is invalid. libcurl 7.88 uses the last of two
  /// lengths, and reads `5, 9` and `+5` as 5. If such a length is too small, the rest of the body
  /// could be read as the answer to the next request on the same connection.
  private func checkLength() -> Bool {
    guard let head = ResponseHead(end.head) else { return abort(.notHTTP) }
    if hop.method == "HEAD" || head.status == 204 || head.status == 304 { return true }
    switch BodyLength(head.fields) {
    case .clear: break
    case .overridden: closeConnection()
    case .unclear: return abort(.unclearLength)
    }
    return true
  }

  private func announce(to sink: any BodySink) -> Bool {
    guard let head = ResponseHead(end.head) else { return abort(.notHTTP) }
    wish = sink.begin(HTTPHopAnswer(status: head.status, headers: head.fields), from: hop.target)
    return true
  }

  private var isInterim: Bool {
    end.head.withUnsafeBytes { head in
      let line = UnsafeRawBufferPointer(rebasing: head.prefix { $0 != 0x0A && $0 != 0x0D })
      return ResponseHead.status(line).map { $0 < 200 } ?? false
    }
  }

  func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    end.receivedBytes += bytes.count
    if let sink = hop.sink { return give(bytes, to: sink) }
    guard end.body.count + bytes.count <= hop.bodyBytesMax else {
      return abort(.bodyTooBig(hop.bodyBytesMax))
    }
    if end.body.isEmpty { reserveBody(atLeast: bytes.count) }
    end.body.append(contentsOf: bytes)
    return true
  }

  private func give(_ bytes: UnsafeRawBufferPointer, to sink: any BodySink) -> Bool {
    switch wish {
    case .take: return sink.take(bytes) || abort(.cancelled)
    case .pass:
      passedBytes += bytes.count
      isEnough = passedBytes > BodyWish.passedBytesMax
      return !isEnough
    }
  }

  private func reserveBody(atLeast count: Int) {
    let reservedMax = 256 << 10  // limits what a false length can reserve
    guard let easy else { return }
    let declared = Int(clamping: ccurl_info_size(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T))
    end.body.reserveCapacity(max(count, min(declared, reservedMax, hop.bodyBytesMax)))
  }

  /// Sets the size of libcurl's read buffer for a hop with a sink: four times libcurl's default,
  /// for fewer calls. With a speed limit, the buffer holds at most the bytes of a hundredth of a
  /// second, but at least 1 KiB. The reason is that libcurl 7.88 fills a hundred buffers before it
  /// applies the limit. Call this function only before the transfer begins. Otherwise libcurl would
  /// write beyond the old buffer.
  func setBuffer(for bytesPerSecond: Int64?) {
    guard let easy else { return }
    let bytes = min(bytesPerSecond.map { $0 / 100 } ?? .max, 64 << 10)
    _ = ccurl_set_long(easy, CURLOPT_BUFFERSIZE, Int(max(bytes, 1024)))
  }

  func limitSpeed(_ bytesPerSecond: Int64) {
    guard let easy else { return }
    _ = ccurl_set_size(easy, CURLOPT_MAX_RECV_SPEED_LARGE, bytesPerSecond)
  }

  /// Whether a connection to the address is allowed; records the reason if the connection is not
  /// allowed. Reads the address only if it matters.
  func admits(_ address: @autoclosure () -> IPAddress?) -> Bool {
    if hop.privateAddresses == .all || hop.proxy != nil { return true }
    guard let address = address() else {
      return abort(.engine("the server has an address of an unknown family"))
    }
    if hop.privateAddresses.admits(address) { return true }
    refused = address
    return false
  }

  private func abort(_ fault: HTTPFault) -> Bool {
    abortFault = fault
    return false
  }
}

/// The header lines that determine where a body ends, checked as they arrive. Nearly all answers
/// have either one plain length or chunks. The length check need not parse the heads of these
/// answers.
struct LengthLines {
  private var lengthCount = 0
  private var codingCount = 0
  private var hasOddity = false

  /// Whether the lines are plain: at most one length or coding, a length of at most 18 digits, and
  /// no line that continues the previous one.
  var isPlain: Bool { !hasOddity && lengthCount + codingCount <= 1 }

  mutating func take(_ line: UnsafeRawBufferPointer) {
    guard let first = line.first else { return }
    switch first {
    // The line continues the previous one (RFC 9112 section 5.2) and may contain a length.
    case UInt8(ascii: " "), UInt8(ascii: "\t"): hasOddity = true
    case UInt8(ascii: "C"), UInt8(ascii: "c"):
      guard let value = Self.value(of: "content-length", line) else { return }
      lengthCount += 1
      hasOddity = hasOddity || !Self.isNumber(value)
    case UInt8(ascii: "T"), UInt8(ascii: "t"):
      if Self.value(of: "transfer-encoding", line) != nil { codingCount += 1 }
    default: break
    }
  }

  private typealias Bytes = Slice<UnsafeRawBufferPointer>

  /// Returns the part of the line after the colon if the header in the line has the given name; nil
  /// otherwise. `name` is in lower case.
  private static func value(of name: StaticString, _ line: UnsafeRawBufferPointer) -> Bytes? {
    let count = name.utf8CodeUnitCount
    guard line.count > count else { return nil }
    for index in 0..<count where line[index] | 0x20 != name.utf8Start[index] { return nil }
    let rest = line[count...].drop { $0 == 0x20 || $0 == 0x09 }
    return rest.first == UInt8(ascii: ":") ? rest.dropFirst() : nil
  }

  private static func isNumber(_ value: Bytes) -> Bool {
    let digits = value.drop { $0 == 0x20 || $0 == 0x09 }.prefix { (0x30...0x39).contains($0) }
    let isOver = value[digits.endIndex...].allSatisfy { [0x20, 0x09, 0x0D, 0x0A].contains($0) }
    return !digits.isEmpty && digits.count <= 18 && isOver
  }
}
