import Glibc

/// A reader of frames from a non-blocking socket. All input is untrusted. A length above
/// `WireLimits.payloadBytesMax` is an error. The buffer never becomes larger than the largest
/// allowed frame.
package struct FrameReader: ~Copyable {
  private var memory: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0

  package init() {
    memory = .allocate(byteCount: WireLimits.readBufferBytes, alignment: 16)
  }

  deinit { memory.deallocate() }

  package enum Intake {
    /// The buffer is full. The caller must take the frames with `next`, and then call `fill` again.
    case more
    /// The buffer has all bytes that have arrived so far.
    case drained
  }

  /// Reads bytes that have arrived, at most until the buffer is full. Payloads of earlier frames
  /// are no longer valid after this call. Throws `closed` if the other side has closed the
  /// connection.
  package mutating func fill(from descriptor: Int32) throws(WireError) -> Intake {
    makeRoom()
    let room = memory.count - end
    guard let base = memory.baseAddress, room > 0 else { return .more }
    while true {
      let count = read(descriptor, base + end, room)
      if count > 0 {
        end += count
        return count == room ? .more : .drained
      }
      if count == 0 { throw .closed }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .drained
      default: throw .system(errno)
      }
    }
  }

  /// Returns the next complete frame; nil if the buffer has none.
  package mutating func next() throws(WireError) -> Frame? {
    guard end - start >= WireLimits.headerBytes else { return nil }
    let bytes = UnsafeRawBufferPointer(memory)
    let length = Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self).littleEndian)
    guard length <= WireLimits.payloadBytesMax else { throw .payloadTooLong(length) }
    let whole = WireLimits.headerBytes + length
    guard end - start >= whole else { return nil }
    let run = bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self).littleEndian
    let payload = UnsafeRawBufferPointer(
      rebasing: bytes[start + WireLimits.headerBytes..<start + whole])
    defer { start += whole }
    return Frame(run: run, kind: bytes[start + 8], payload: payload)
  }

  /// Moves the unread bytes to the front of the buffer. Enlarges the buffer for a frame that does
  /// not fit, and later shrinks it again.
  private mutating func makeRoom() {
    let pending = end - start
    let wanted = max(WireLimits.readBufferBytes, wholeFrameBytes(pending))
    if wanted != memory.count, pending <= wanted {
      let grown = UnsafeMutableRawBufferPointer.allocate(byteCount: wanted, alignment: 16)
      grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<end]))
      memory.deallocate()
      memory = grown
    } else if start > 0, let base = memory.baseAddress {
      memmove(base, base + start, pending)
    }
    (start, end) = (0, pending)
  }

  private func wholeFrameBytes(_ pending: Int) -> Int {
    guard pending >= WireLimits.headerBytes else { return 0 }
    let length = Int(memory.loadUnaligned(fromByteOffset: start, as: UInt32.self).littleEndian)
    return WireLimits.headerBytes + min(length, WireLimits.payloadBytesMax)
  }
}
