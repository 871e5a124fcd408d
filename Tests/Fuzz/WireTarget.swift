import FetchModel
import FetchValues
import FetchWire
import Glibc

/// The fuzz target for frames from a socket, and for the messages of both sides in these frames.
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

  /// Decodes the values in a message as the host does, and checks the host's assumptions about the
  /// rest.
  private static func follow(_ message: WorkerMessage) {
    switch message {
    case .loaded(let bytes): readAll(bytes, isOfItems: false)
    case .items(let bytes): readAll(bytes, isOfItems: true)
    case .request(let name, let arguments):
      precondition(name.utf8.count <= 64)
      readAll(arguments, isOfItems: false)
    case .finished(let state, let usage):
      check(usage)
      if let state { readAll(state, isOfItems: false) }
    case .failed(let failure, let usage):
      check(failure)
      check(usage)
    case .loadFailed(let failure): check(failure)
    default: break
    }
  }

  private static func check(_ failure: Failure) {
    precondition(failure.message.utf8.count <= Failure.messageBytesMax)
    precondition(failure.file?.utf8.count ?? 0 <= Failure.placeBytesMax)
    precondition(failure.line ?? 1 > 0)
    precondition(failure.traceback.count <= Failure.tracebackCountMax)
    precondition(failure.traceback.allSatisfy { $0.utf8.count <= Failure.placeBytesMax })
  }

  private static func check(_ usage: RunUsage) {
    precondition(usage.cpu >= .zero && usage.memoryPeakBytes >= 0 && usage.sliceCount >= 0)
    let held = usage.held(cpu: .seconds(1), by: RunLimits())
    precondition((.zero ... .seconds(1)).contains(held.cpu))
    precondition((0...RunLimits().memoryBytes).contains(held.memoryPeakBytes))
  }

  /// Reads all values, unless they would need too much memory. The needed memory is computed first,
  /// as in the host.
  private static func readAll(_ bytes: UnsafeRawBufferPointer, isOfItems: Bool) {
    var weight = ValueWeight(bytesMax: 1 << 20)
    do throws(ValueError) {
      if isOfItems { try weight.add(items: bytes) } else { try weight.add(bytes) }
    } catch { return }
    guard !weight.isExceeded else { return }
    precondition(isOfItems || weight.bytes >= bytes.count)
    var reader = ValueReader(bytes)
    while !reader.isAtEnd { guard (try? reader.readValue()) != nil else { return } }
  }
}
