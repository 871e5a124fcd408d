import Glibc

/// A writer that collects frames, so that one system call can write many of them to a non-blocking
/// socket.
package struct FrameWriter: ~Copyable {
  private var memory: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0

  private static let initialBytes = 16 << 10
  /// The maximum size of the buffer that is kept after its frames are written, in bytes.
  private static let keptBytesMax = 1 << 20

  package init() { memory = .allocate(byteCount: Self.initialBytes, alignment: 16) }
  deinit { memory.deallocate() }

  /// The number of bytes that wait to be written.
  package var pendingBytes: Int { end - start }
  package var isBacklogged: Bool { pendingBytes > WireLimits.backlogBytesMax }

  /// Adds a frame whose payload is `head` followed by `body`. For a payload above
  /// `payloadBytesMax`, the function throws an error and adds nothing.
  package mutating func append(
    kind: UInt8, run: UInt32, head: UnsafeRawBufferPointer,
    body: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) throws(WireError) {
    let length = head.count + body.count
    guard length <= WireLimits.payloadBytesMax else { throw .payloadTooLong(length) }
    reserve(WireLimits.headerBytes + length)
    store(UInt32(length))
    store(run)
    store(kind)
    copy(head)
    copy(body)
  }

  package mutating func append(
    kind: UInt8, run: UInt32, payload: [UInt8] = []
  ) throws(WireError) {
    let result = payload.withUnsafeBytes { bytes in
      Result { () throws(WireError) in try append(kind: kind, run: run, head: bytes) }
    }
    try result.get()
  }

  /// Writes as many bytes as the socket accepts now. Returns true if no bytes are left.
  package mutating func flush(to descriptor: Int32) throws(WireError) -> Bool {
    while start < end, let base = memory.baseAddress {
      let count = write(descriptor, base + start, end - start)
      if count >= 0 {
        start += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: return false
      case EPIPE, ECONNRESET: throw .closed
      default: throw .system(errno)
      }
    }
    (start, end) = (0, 0)
    if memory.count > Self.keptBytesMax {
      memory.deallocate()
      memory = .allocate(byteCount: Self.initialBytes, alignment: 16)
    }
    return true
  }

  private mutating func store<T: FixedWidthInteger>(_ value: T) {
    memory.storeBytes(of: value.littleEndian, toByteOffset: end, as: T.self)
    end += MemoryLayout<T>.size
  }

  private mutating func copy(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, let base = memory.baseAddress else { return }
    memcpy(base + end, source, bytes.count)
    end += bytes.count
  }

  private mutating func reserve(_ count: Int) {
    guard end + count > memory.count else { return }
    let pending = pendingBytes
    let size = max(memory.count, Self.doubling(pending + count))
    let grown = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<end]))
    memory.deallocate()
    memory = grown
    (start, end) = (0, pending)
  }

  private static func doubling(_ count: Int) -> Int {
    var size = initialBytes
    while size < count { size &*= 2 }
    return size
  }
}
