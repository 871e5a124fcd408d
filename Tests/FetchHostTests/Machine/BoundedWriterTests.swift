import FetchHost
import Foundation
import Synchronization
import Testing

/// Tests of a writer whose reader reads late or never.
@Suite(.timeLimit(.minutes(5))) struct BoundedWriterTests {
  private final class Gaps: Sendable {
    let counts = Mutex<[Int]>([])
    let writer = Mutex<BoundedWriter?>(nil)

    func note(_ count: Int) {
      counts.withLock { $0.append(count) }
      writer.withLock { $0 }?.put(Array("\(count) dropped\n".utf8))
    }
  }

  private static func line(_ number: Int) -> [UInt8] {
    let text = "\(number) "
    return Array((text + String(repeating: "x", count: 999 - text.utf8.count) + "\n").utf8)
  }

  private func lines(_ pipe: Pipe, until text: String) -> [Substring] {
    var bytes = Data()
    while !String(decoding: bytes, as: UTF8.self).contains(text) {
      bytes += pipe.fileHandleForReading.availableData
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  @Test func `whole messages are dropped, and counted once at their place`() {
    let pipe = Pipe()
    // The kernel's buffer is less than half of the queue, so that messages are dropped only once.
    let sizeCommand: Int32 = 1031  // F_SETPIPE_SZ
    #expect(fcntl(pipe.fileHandleForWriting.fileDescriptor, sizeCommand, 4096) == 4096)
    let gaps = Gaps()
    let writer = BoundedWriter(
      to: pipe.fileHandleForWriting.fileDescriptor, bytesMax: 100_000, onGap: gaps.note)
    gaps.writer.withLock { $0 = writer }
    for number in 0..<1000 { writer.put(Self.line(number)) }
    #expect(gaps.counts.withLock { $0 }.isEmpty)
    let early = lines(pipe, until: " dropped\n")
    writer.put(Self.line(1000))
    let all = early + lines(pipe, until: "\n")
    let kept = all.compactMap { $0.split(separator: " ").last?.first == "x" ? $0 : nil }
    let dropped = gaps.counts.withLock { $0 }
    #expect(dropped.count == 1)
    #expect(kept.count + (dropped.first ?? 0) == 1001)
    #expect(kept.allSatisfy { $0.utf8.count == 999 })
    #expect(kept.dropLast().enumerated().allSatisfy { $1.hasPrefix("\($0) ") })
    #expect(all.last?.hasPrefix("1000 ") == true)
    #expect(all.dropLast().last?.hasSuffix(" dropped") == true)
  }

  @Test func `a flush waits for the reader, but not forever`() {
    let pipe = Pipe()
    let writer = BoundedWriter(
      to: pipe.fileHandleForWriting.fileDescriptor, bytesMax: 1 << 20, onGap: { _ in })
    #expect(writer.flush(.seconds(60)))
    for number in 0..<200 { writer.put(Self.line(number)) }
    #expect(!writer.flush(.zero))
    let reader = Thread { _ = lines(pipe, until: "\n199 ") }
    reader.start()
    #expect(writer.flush(.seconds(60)))
  }

  @Test func `a closed reader is a fault, but does not end the process`() throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let faults = Gaps()
    let writer = BoundedWriter(
      to: pipe.fileHandleForWriting.fileDescriptor, bytesMax: 10, onGap: { _ in },
      onFault: { faults.note(Int($0)) })
    for byte: UInt8 in 1...2 {
      writer.put([byte])
      #expect(writer.flush(.seconds(60)))
    }
    #expect(faults.counts.withLock { $0 } == [Int(EPIPE), Int(EPIPE)])
  }

  @Test func `a message longer than the queue is accepted if no other one waits`() {
    let pipe = Pipe()
    let writer = BoundedWriter(
      to: pipe.fileHandleForWriting.fileDescriptor, bytesMax: 10, onGap: { _ in })
    writer.put(Self.line(7))
    #expect(lines(pipe, until: "\n").first?.utf8.count == 999)
  }

  @Test func `messages that follow one another are written together, each of them whole`() {
    // A socket of this kind gives its reader each write alone, and its buffer is full soon.
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
    var size: Int32 = 4096
    let optionSize = socklen_t(MemoryLayout<Int32>.size)
    #expect(setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &size, optionSize) == 0)
    let writer = BoundedWriter(to: ends[1], bytesMax: 1 << 20, onGap: { _ in })
    let messages = (0..<100).map { number in Array(Self.line(number).suffix(200 + number)) }
    for message in messages { writer.put(message) }
    var packets: [[UInt8]] = []
    while packets.reduce(0, { $0 + $1.count }) < messages.reduce(0, { $0 + $1.count }) {
      var packet = [UInt8](repeating: 0, count: 8192)
      let count = read(ends[0], &packet, packet.count)
      guard count > 0 else { break }
      packets.append(Array(packet[..<count]))
    }
    close(ends[0])
    #expect(packets.joined().elementsEqual(messages.joined()))
    #expect(packets.allSatisfy { $0.last == UInt8(ascii: "\n") && $0.count <= 4096 })
    // At least 13 messages fit into a write. The buffer has room for fewer than ten small writes,
    // which the thread makes if the messages come slowly. Then the thread waits for the reader.
    #expect(packets.count <= 100 / 13 + 12, "\(packets.count) writes")
  }
}
