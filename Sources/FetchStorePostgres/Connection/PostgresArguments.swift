import FetchModel
import FetchValues

/// The arguments of one statement in PostgreSQL's binary format.
///
/// Text that may contain a NUL is passed as bytes, since PostgreSQL's `text` cannot hold a NUL.
/// Names of jobs, hooks and plugins are passed as text.
struct PostgresArguments {
  /// The type of a parameter, by its number in the server's catalogue.
  private enum Kind: UInt32 {
    case bool = 16, bytes = 17, integer = 20, text = 25
    case bools = 1000, byteses = 1001, texts = 1009, integers = 1016

    var element: Kind {
      switch self {
      case .bools: .bool
      case .byteses: .bytes
      case .texts: .text
      case .integers: .integer
      case let other: other
      }
    }
  }

  private(set) var types: [UInt32] = []
  private var bytes: [UInt8] = []
  /// The range of each value in `bytes`; nil for NULL.
  private var ranges: [Range<Int>?] = []

  // MARK: Single values

  mutating func add(_ number: Int64?) {
    guard let number else { return addNull(.integer) }
    add(.integer) { $0.append(number) }
  }

  mutating func add(_ number: Int) { add(Int64(number)) }
  mutating func add(_ time: Timestamp) { add(time.milliseconds) }

  mutating func add(_ content: [UInt8]?) {
    guard let content else { return addNull(.bytes) }
    add(.bytes) { $0 += content }
  }

  /// Adds a text as bytes. The text may contain a NUL.
  mutating func add(content: String?) {
    guard let content else { return addNull(.bytes) }
    add(.bytes) { $0 += content.utf8 }
  }

  /// Adds a text, which must not contain a NUL.
  mutating func add(text: String?) {
    guard let text else { return addNull(.text) }
    add(.text) { $0 += text.utf8 }
  }

  mutating func add<Kind>(_ name: Name<Kind>?) { add(text: name?.text) }
  mutating func add(_ flag: Bool) { add(.bool) { $0.append(UInt8(flag ? 1 : 0)) } }

  private mutating func addNull(_ kind: Kind) {
    types.append(kind.rawValue)
    ranges.append(nil)
  }

  private mutating func add(_ kind: Kind, _ write: (inout [UInt8]) -> Void) {
    types.append(kind.rawValue)
    let start = bytes.count
    write(&bytes)
    ranges.append(start..<bytes.count)
  }

  // MARK: Arrays

  mutating func add(_ numbers: [Int64?]) {
    add(.integers, numbers) { number, bytes in bytes.append(number) }
  }

  mutating func add(_ contents: [[UInt8]?]) {
    add(.byteses, contents) { content, bytes in bytes += content }
  }

  mutating func add(contents: [String?]) {
    add(.byteses, contents) { content, bytes in bytes += content.utf8 }
  }

  mutating func add(texts: [String?]) { add(.texts, texts) { text, bytes in bytes += text.utf8 } }

  mutating func add(_ flags: [Bool]) {
    add(.bools, flags.map { $0 as Bool? }) { flag, bytes in bytes.append(UInt8(flag ? 1 : 0)) }
  }

  private mutating func add<Element>(
    _ kind: Kind, _ elements: [Element?], _ write: (Element, inout [UInt8]) -> Void
  ) {
    add(kind) { bytes in
      bytes.append(Int32(elements.isEmpty ? 0 : 1))
      bytes.append(Int32(1))
      bytes.append(Int32(bitPattern: kind.element.rawValue))
      if elements.isEmpty { return }
      bytes.append(Int32(clamping: elements.count))
      bytes.append(Int32(1))
      for element in elements {
        guard let element else {
          bytes.append(Int32(-1))
          continue
        }
        let place = bytes.count
        bytes.append(Int32(0))
        write(element, &bytes)
        let length = Int32(clamping: bytes.count - place - 4)
        withUnsafeBytes(of: length.bigEndian) { length in
          for offset in 0..<4 { bytes[place + offset] = length[offset] }
        }
      }
    }
  }

  /// Calls the body with a pointer to each value, nil for NULL, and with the lengths of the values.
  func withPointers<T>(
    _ body: ([UnsafePointer<CChar>?], [Int32]) throws -> T
  ) rethrows -> T {
    // A value without bytes needs a pointer too, because a null pointer means NULL.
    try (bytes + [0]).withUnsafeBufferPointer { buffer in
      try buffer.withMemoryRebound(to: CChar.self) { buffer in
        let values = ranges.map { range in
          range.flatMap { buffer.baseAddress?.advanced(by: $0.lowerBound) }
        }
        return try body(values, ranges.map { Int32(clamping: $0?.count ?? 0) })
      }
    }
  }
}

extension [UInt8] {
  /// Appends a number in network byte order.
  fileprivate mutating func append(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}
