import CHost

/// The lines of a list for libcurl, which reads them where they are.
///
/// libcurl's own lists would take two allocations for each line.
struct CurlLines {
  private var bytes: [UInt8] = []
  private var starts: [Int] = []
  /// Whether a line contains a line break or a NUL character.
  private(set) var hasBreaks = false

  init(reserving byteCount: Int = 0, lines lineCount: Int = 0) {
    bytes.reserveCapacity(byteCount)
    starts.reserveCapacity(lineCount)
  }

  /// Appends the line that `write` appends to the bytes. libcurl reads a line up to its first NUL.
  mutating func append(_ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    starts.append(start)
    write(&bytes)
    if bytes[start...].contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) {
      hasBreaks = true
    }
    bytes.append(0)
  }

  mutating func append(_ line: String) { append { $0 += line.utf8 } }

  /// The lines in the form that libcurl reads.
  var list: CurlList { CurlList(bytes, starts) }
}

/// A list in memory of its own. libcurl must not use the list any more when it is deallocated.
final class CurlList {
  private let text: UnsafeMutablePointer<CChar>
  private let entries: UnsafeMutablePointer<curl_slist>
  /// The first entry; nil if the list is empty.
  let first: UnsafeMutablePointer<curl_slist>?

  fileprivate init(_ bytes: [UInt8], _ starts: [Int]) {
    text = .allocate(capacity: bytes.count)
    entries = .allocate(capacity: starts.count)
    first = starts.isEmpty ? nil : entries
    UnsafeMutableRawBufferPointer(start: text, count: bytes.count).copyBytes(from: bytes)
    for (index, start) in starts.enumerated() {
      let next = index + 1 < starts.count ? entries + index + 1 : nil
      (entries + index).initialize(to: curl_slist(data: text + start, next: next))
    }
  }

  deinit {
    text.deallocate()
    entries.deallocate()
  }
}
