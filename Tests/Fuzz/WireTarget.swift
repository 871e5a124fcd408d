import FetchModel
import FetchWire
import Glibc

/// Frames as they come out of a socket, and both sides' messages in them.
enum WireTarget {
  static func run(_ input: UnsafeRawBufferPointer) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return }
    defer {
      close(ends[0])
      close(ends[1])
    }
    guard fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0,
      fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0
    else { return }
    guard write(ends[1], input.baseAddress, input.count) == input.count else { return }
    var reader = FrameReader()
    do {
      while case .more = try reader.fill(from: ends[0]) { try takeFrames(&reader) }
      try takeFrames(&reader)
    } catch {}
  }

  private static func takeFrames(_ reader: inout FrameReader) throws(WireError) {
    while let frame = try reader.next() {
      if let message = try? WorkerMessage.decode(frame) { follow(message) }
      _ = try? HostMessage.decode(frame)
    }
  }

  /// What the host does with the encoded values inside.
  private static func follow(_ message: WorkerMessage) {
    switch message {
    case .loaded(let bytes), .items(let bytes): readAll(bytes)
    case .request(_, let arguments): readAll(arguments)
    case .finished(let state?, _): readAll(state)
    default: break
    }
  }

  private static func readAll(_ bytes: UnsafeRawBufferPointer) {
    var reader = ValueReader(bytes)
    while !reader.isAtEnd { guard (try? reader.readValue()) != nil else { return } }
  }
}
