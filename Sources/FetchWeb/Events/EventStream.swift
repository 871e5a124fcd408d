/// The sending of events to one client. It ends when the connection closes, the server stops, the
/// client's access ends, or the log cannot be read.
package struct EventStream: Sendable {
  private let hub: EventHub
  private let seat: EventSeat
  private let isAllowed: @Sendable () -> Bool

  /// The maximum number of bytes that `send` gives the writer at once. Longer text is sent in
  /// pieces, and `send` calls `drain` between them.
  private static let pieceBytesMax = 64 << 10

  package init(_ hub: EventHub, _ seat: EventSeat, isAllowed: @escaping @Sendable () -> Bool) {
    self.hub = hub
    self.seat = seat
    self.isAllowed = isAllowed
  }

  package func run(_ client: EventClient, _ writer: any WebStreamWriter) async {
    var client = client
    guard writer.send(client.beginning) else { return }
    for await _ in seat.wakes {
      for step in client.steps(for: hub.news) where !Task.isCancelled {
        switch await take(step, &client, writer) {
        case .goesOn: break
        case .gone: return
        case .over:
          _ = writer.send(EventText.bye)
          return
        }
      }
    }
    _ = writer.send(EventText.bye)
  }

  private enum End {
    case goesOn
    /// The client is no longer connected.
    case gone
    /// The client's access has ended, or the log cannot be read.
    case over
  }

  private func take(
    _ step: EventClient.Step, _ client: inout EventClient, _ writer: any WebStreamWriter
  ) async -> End {
    switch step {
    case .log: return await readLog(&client, writer)
    case .states: return await send(client.take(hub.states), writer)
    case .beat:
      guard isAllowed() else { return .over }
      return writer.send(client.beat()) ? .goesOn : .gone
    }
  }

  private func readLog(
    _ client: inout EventClient, _ writer: any WebStreamWriter
  ) async -> End {
    while !Task.isCancelled {
      let page: EventPage
      do throws(WebProblem) {
        page = try await hub.log.page(after: client.cursor, tick: hub.news.log)
      } catch { return .over }
      let bytes = client.take(page)
      let isDone = client.isDone(page)
      guard case .goesOn = await send(bytes, writer, waits: !isDone) else { return .gone }
      if isDone { return .goesOn }
    }
    return .goesOn
  }

  /// - Parameter waits: whether the function also calls `drain` after the last bytes. This is
  ///   needed if more bytes follow immediately, because the writer disconnects a client with too
  ///   many waiting bytes.
  private func send(
    _ bytes: [UInt8], _ writer: any WebStreamWriter, waits: Bool = false
  ) async -> End {
    var rest = bytes[...]
    while !rest.isEmpty {
      let isWhole = rest.count <= Self.pieceBytesMax
      guard writer.send(isWhole ? Array(rest) : Array(rest.prefix(Self.pieceBytesMax))) else {
        return .gone
      }
      rest = rest.dropFirst(Self.pieceBytesMax)
      if waits || !isWhole, await !writer.drain() { return .gone }
    }
    return .goesOn
  }
}
