import CCurl
import FetchModel

/// What the engine's thread hands back: raw, so that parsing and decoding happen elsewhere.
struct TransferEnd: Sendable {
  var fault: HTTPFault?
  var head: [UInt8] = []
  var body: [UInt8] = []
  var receivedBytes = 0
}

/// One hop in libcurl's hands. Lives on the engine's thread only; libcurl's callbacks point at it.
final class Transfer {
  let id: UInt64
  let hop: HTTPHop
  private let continuation: CheckedContinuation<TransferEnd, Never>
  private(set) var easy: UnsafeMutableRawPointer?
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var end = TransferEnd()
  /// Set by callbacks: libcurl's own code for an abort is not stable.
  private var abortFault: HTTPFault?
  private var isHeadComplete = false
  private var refused: IPAddress?

  init(
    id: UInt64, hop: HTTPHop, continuation: CheckedContinuation<TransferEnd, Never>
  ) {
    self.id = id
    self.hop = hop
    self.continuation = continuation
  }

  /// Makes the handle; nil when libcurl cannot.
  func open() -> UnsafeMutableRawPointer? {
    guard let easy = ccurl_create() else { return nil }
    self.easy = easy
    let context = Unmanaged.passUnretained(self).toOpaque()
    TransferOptions.apply(hop, to: easy, context: context)
    for line in headerLines { headerList = ccurl_list_append(headerList, line) ?? headerList }
    _ = ccurl_set_list(easy, CURLOPT_HTTPHEADER, headerList)
    return easy
  }

  /// In libcurl's language: `name;` sends a header without a value, `name:` removes what libcurl
  /// itself would send.
  private var headerLines: [String] {
    let fields = hop.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    let hasType = hop.headers.contains { $0.name.lowercased() == "content-type" }
    return fields + (hasType ? ["Expect:"] : ["Expect:", "Content-Type:"])
  }

  /// Ends it, once. The handle must be out of its multi handle.
  func finish(_ fault: HTTPFault?) {
    end.fault = fault
    if let easy { ccurl_destroy(easy) }
    easy = nil
    ccurl_list_free(headerList)
    headerList = nil
    continuation.resume(returning: end)
  }

  /// What libcurl's result means, with what the callbacks know.
  func fault(of result: CURLcode) -> HTTPFault? {
    guard let easy else { return .engine("a transfer has no handle") }
    if let abortFault { return abortFault }
    if result == CURLE_OK { return nil }
    if let refused { return .refusedAddress(refused) }
    return CurlFault.fault(of: result, easy: easy, hop: hop, hasAnswer: !end.head.isEmpty)
  }

  // MARK: What libcurl's callbacks do

  func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    end.receivedBytes += line.count
    if isHeadComplete { return true }
    if line.starts(with: "HTTP/".utf8) { end.head.removeAll(keepingCapacity: true) }
    guard end.head.count + line.count <= ResponseHead.bytesMax else {
      return abort(.headersTooLong)
    }
    end.head.append(contentsOf: line)
    let isBlank = line.count <= 2 && line.allSatisfy { $0 == 0x0D || $0 == 0x0A }
    if isBlank { isHeadComplete = !isInterim }
    return true
  }

  private var isInterim: Bool {
    let line = end.head.prefix { $0 != 0x0A && $0 != 0x0D }
    return ResponseHead.status(line).map { $0 < 200 } ?? false
  }

  func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    end.receivedBytes += bytes.count
    guard end.body.count + bytes.count <= hop.bodyBytesMax else {
      return abort(.bodyTooBig(hop.bodyBytesMax))
    }
    if end.body.isEmpty { reserveBody(atLeast: bytes.count) }
    end.body.append(contentsOf: bytes)
    return true
  }

  private func reserveBody(atLeast count: Int) {
    let reservedMax = 256 << 10  // a lie about the length costs no more than this
    guard let easy else { return }
    let said = Int(clamping: ccurl_info_size(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T))
    end.body.reserveCapacity(max(count, min(said, reservedMax, hop.bodyBytesMax)))
  }

  /// Whether a connection to that address may be used.
  func admits(_ address: IPAddress?) -> Bool {
    if hop.allowsPrivate || hop.proxy != nil { return true }
    guard let address else { return abort(.engine("an address of an unknown family")) }
    guard AddressClass(address) != .global else { return true }
    refused = address
    return false
  }

  private func abort(_ fault: HTTPFault) -> Bool {
    abortFault = fault
    return false
  }
}
