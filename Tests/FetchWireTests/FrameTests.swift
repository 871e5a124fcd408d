import FetchValues
import FetchWire
import Glibc
import Testing

struct FrameTests {
  @Test(arguments: [0, 1, 255, 300_000, 3_000_000])
  func `a frame of any size arrives unchanged`(count: Int) throws {
    let pair = try SocketPair()
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    var writer = FrameWriter()
    try writer.append(kind: 9, run: 77, payload: payload)
    try writer.append(kind: 1, run: .max)
    var reader = FrameReader()
    var frames: [(run: UInt32, kind: UInt8, payload: [UInt8])] = []
    while frames.count < 2 {
      _ = try writer.flush(to: pair.near)
      _ = try reader.fill(from: pair.far)
      while let frame = try reader.next() {
        frames.append((frame.run, frame.kind, Array(frame.payload)))
      }
    }
    #expect(frames[0].run == 77)
    #expect(frames[0].kind == 9)
    #expect(frames[0].payload == payload)
    #expect(frames[1].run == .max)
    #expect(frames[1].payload.isEmpty)
  }

  @Test func `a frame that arrives byte by byte is assembled`() throws {
    let pair = try SocketPair()
    var reader = FrameReader()
    let bytes: [UInt8] = [2, 0, 0, 0, 5, 0, 0, 0, 3, 10, 11]
    for byte in bytes.dropLast() {
      pair.send([byte])
      _ = try reader.fill(from: pair.far)
      #expect(try reader.next()?.kind == nil)
    }
    pair.send([11])
    _ = try reader.fill(from: pair.far)
    let frame = try #require(try reader.next())
    #expect(frame.run == 5)
    #expect(Array(frame.payload) == [10, 11])
  }

  @Test func `a length above the limit is refused before memory is reserved`() throws {
    let pair = try SocketPair()
    var reader = FrameReader()
    pair.send([255, 255, 255, 255, 0, 0, 0, 0, 1])
    _ = try reader.fill(from: pair.far)
    do {
      _ = try reader.next()
      Issue.record("the frame was accepted")
    } catch { #expect(error == .payloadTooLong(4_294_967_295)) }
  }

  @Test func `a payload above the limit is refused`() throws {
    var writer = FrameWriter()
    let payload = [UInt8](repeating: 0, count: WireLimits.payloadBytesMax + 1)
    do {
      try writer.append(kind: 1, run: 1, payload: payload)
      Issue.record("the payload was accepted")
    } catch { #expect(error == .payloadTooLong(payload.count)) }
    #expect(writer.pendingBytes == 0)
  }

  @Test func `a closed connection is read as the end, not as an empty frame`() throws {
    let pair = try SocketPair()
    pair.closeNear()
    var reader = FrameReader()
    do {
      _ = try reader.fill(from: pair.far)
      Issue.record("nothing was reported")
    } catch { #expect(error == .closed) }
  }
}

/// Two connected non-blocking sockets.
final class SocketPair {
  let near: Int32
  let far: Int32
  private var isNearOpen = true

  init() throws {
    var pair: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &pair) == 0)
    (near, far) = (pair[0], pair[1])
  }

  deinit {
    closeNear()
    close(far)
  }

  func send(_ bytes: [UInt8]) { _ = write(near, bytes, bytes.count) }

  func closeNear() {
    if isNearOpen { close(near) }
    isNearOpen = false
  }
}
