import Glibc
import Synchronization

/// A relay on loopback between the clients and the server of a test. The relay can fail in the ways
/// of a network. One thread serves all connections, and ends with the relay.
package final class ServerRelay: Sendable {
  /// The treatment of the bytes of a connection.
  package enum Flow: Sendable {
    case passes
    /// The bytes pass in pieces of at most three, so that most numbers are divided.
    case passesPieces
    /// The requests pass, and the answers are lost.
    case losesAnswers
    /// Nothing passes, and nothing is closed.
    case isSilent
    /// Both sides are closed.
    case isCut
  }

  private let work: RelayWork
  private let thread: WaitingThread

  /// - Parameter path: the path of the server's socket.
  package init(to path: String) throws {
    let work = try RelayWork(to: path)
    self.work = work
    thread = WaitingThread { work.serve() }
  }

  deinit {
    work.order { $0.isStopped = true }
    thread.join()
  }

  /// The port of 127.0.0.1 at which the relay listens.
  package var port: UInt16 { work.port }
  /// The number of connections that clients have made.
  package var connectionCount: Int { work.begun.load(ordering: .acquiring) }
  /// The number of connections that have ended.
  package var endCount: Int { work.ended.load(ordering: .acquiring) }
  /// The number of bytes of lost answers.
  package var lostByteCount: Int { work.lost.load(ordering: .acquiring) }

  /// Changes what happens to the bytes of all open connections. Returns when the change has taken
  /// effect.
  ///
  /// - Parameter alsoNew: whether this also holds for later connections. Otherwise, their bytes
  ///   pass.
  package func become(_ flow: Flow, alsoNew: Bool = true) {
    let number = work.order { orders in
      orders.flowOfOpen = flow
      orders.flowOfNew = alsoNew ? flow : .passes
    }
    while work.obeyed.load(ordering: .acquiring) < number { sched_yield() }
  }
}

/// The part of a relay that its thread uses.
private final class RelayWork: Sendable {
  struct Orders: Sendable {
    var flowOfNew: ServerRelay.Flow = .passes
    /// The new flow of the open connections; nil if it does not change.
    var flowOfOpen: ServerRelay.Flow?
    var isStopped = false
    /// The number of the last order.
    var number = 0
  }

  let port: UInt16
  let begun = Atomic(0)
  let ended = Atomic(0)
  let lost = Atomic(0)
  /// The number of the last order that the thread has obeyed.
  let obeyed = Atomic(0)
  private let path: String
  private let listener: Int32
  /// A pair of sockets. A byte that is sent to the second one wakes the thread.
  private let alarm: (inside: Int32, outside: Int32)
  private let orders = Mutex(Orders())

  init(to path: String) throws {
    self.path = path
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
      throw LoopbackSocket.Failed(what: "socketpair", code: errno)
    }
    alarm = (pair[0], pair[1])
    (listener, port) = try LoopbackSocket.listen()
  }

  deinit { for socket in [listener, alarm.inside, alarm.outside] { close(socket) } }

  /// Changes the orders and wakes the thread. Returns the number of the order.
  @discardableResult
  func order(_ change: (inout Orders) -> Void) -> Int {
    let number = orders.withLock { orders in
      change(&orders)
      orders.number += 1
      return orders.number
    }
    var byte: UInt8 = 0
    _ = send(alarm.outside, &byte, 1, Int32(MSG_NOSIGNAL))
    return number
  }

  func serve() {
    var links: [RelayLink] = []
    while let flow = obey(&links) {
      var places = [alarm.inside, listener].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      for link in links { places += link.places }
      guard poll(&places, nfds_t(places.count), -1) >= 0 || errno == EINTR else { break }
      if places[0].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = recv(alarm.inside, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      }
      for index in links.indices {
        let isOpen = links[index].move(
          client: places[2 * index + 2].revents, server: places[2 * index + 3].revents, lost)
        if !isOpen { links[index].flow = .isCut }
      }
      if places[1].revents != 0, let link = newLink(flow) { links.append(link) }
      removeCut(&links)
    }
    for link in links { link.end() }
  }

  /// Obeys the last orders. Returns the flow of new connections; nil if the relay is stopped.
  private func obey(_ links: inout [RelayLink]) -> ServerRelay.Flow? {
    let now = orders.withLock { orders in
      defer { orders.flowOfOpen = nil }
      return orders
    }
    if let flow = now.flowOfOpen {
      for index in links.indices { links[index].flow = flow }
      removeCut(&links)
    }
    obeyed.store(now.number, ordering: .releasing)
    return now.isStopped ? nil : now.flowOfNew
  }

  private func newLink(_ flow: ServerRelay.Flow) -> RelayLink? {
    let client = accept(listener, nil, nil)
    guard client >= 0 else { return nil }
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    // Otherwise the kernel would join small pieces again.
    var isOn: Int32 = 1
    setsockopt(
      client, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    begun.add(1, ordering: .releasing)
    guard let server = LoopbackSocket.connected(to: path) else {
      close(client)
      ended.add(1, ordering: .releasing)
      return nil
    }
    return RelayLink(client: client, server: server, flow: flow)
  }

  private func removeCut(_ links: inout [RelayLink]) {
    for link in links where link.flow == .isCut {
      link.end()
      ended.add(1, ordering: .releasing)
    }
    links.removeAll { $0.flow == .isCut }
  }
}

/// One connection of a client with the relay's connection to the server.
private struct RelayLink {
  let client: Int32
  let server: Int32
  var flow: ServerRelay.Flow
  /// The bytes of the client that the server has not accepted yet.
  private var requests: ArraySlice<UInt8> = []
  private var answers: ArraySlice<UInt8> = []

  init(client: Int32, server: Int32, flow: ServerRelay.Flow) {
    (self.client, self.server, self.flow) = (client, server, flow)
  }

  /// The sockets of the client and of the server with the events to wait for. The kernel ignores
  /// negative descriptors.
  var places: [pollfd] {
    let isSilent = flow == .isSilent
    return [
      pollfd(fd: isSilent ? -1 : client, events: Self.events(requests, answers), revents: 0),
      pollfd(fd: isSilent ? -1 : server, events: Self.events(answers, requests), revents: 0),
    ]
  }

  private static func events(
    _ received: ArraySlice<UInt8>, _ unsent: ArraySlice<UInt8>
  ) -> Int16 {
    Int16(received.isEmpty ? POLLIN : 0) | Int16(unsent.isEmpty ? 0 : POLLOUT)
  }

  /// Passes what can be passed without waiting. Returns whether both sides are still open.
  ///
  /// - Parameters:
  ///   - clientEvents: the events of the client's socket.
  ///   - serverEvents: the events of the server's socket.
  mutating func move(
    client clientEvents: Int16, server serverEvents: Int16, _ lost: borrowing Atomic<Int>
  ) -> Bool {
    if flow == .isSilent { return true }
    guard Self.receive(&requests, client, clientEvents),
      Self.receive(&answers, server, serverEvents)
    else { return false }
    if flow == .losesAnswers {
      lost.add(answers.count, ordering: .releasing)
      answers = []
    }
    let countMax = flow == .passesPieces ? 3 : Int.max
    return Self.send(&requests, server, countMax) && Self.send(&answers, client, countMax)
  }

  private static func receive(
    _ bytes: inout ArraySlice<UInt8>, _ socket: Int32, _ events: Int16
  ) -> Bool {
    if events == 0 || !bytes.isEmpty { return true }
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(socket, &chunk, chunk.count, Int32(MSG_DONTWAIT))
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    bytes = chunk[..<count]
    return count > 0
  }

  private static func send(
    _ bytes: inout ArraySlice<UInt8>, _ socket: Int32, _ countMax: Int
  ) -> Bool {
    if bytes.isEmpty { return true }
    let count = bytes.withUnsafeBytes {
      Glibc.send(
        socket, $0.baseAddress, min($0.count, countMax),
        Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    }
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    bytes = bytes.dropFirst(count)
    return true
  }

  /// Closes both sides. The shutdown also works if a child process has inherited a socket.
  func end() {
    for socket in [client, server] {
      shutdown(socket, Int32(SHUT_RDWR))
      close(socket)
    }
  }
}
