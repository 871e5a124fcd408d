import FetchModel
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// The HTTP server: listeners and connections on one event loop.
package final class WebServer: Sendable {
  /// The event loop, which runs until the process ends. Shutting a loop down needs Dispatch, and
  /// Dispatch's threads would violate the restrictions of the process.
  private let loop = MultiThreadedEventLoopGroup.singleton.any()
  private let service: ConnectionService
  private let connections: NIOLoopBoundBox<Connections>
  private let listeners = Mutex<[any Channel]>([])

  /// The state of all connections, which only the event loop uses.
  private struct Connections {
    var count = ConnectionCount()
    var open: [ObjectIdentifier: ConnectionHandler] = [:]
    var isStopping = false
    var emptied: (@Sendable () -> Void)?
    /// The function that `WebServer.onChange` has set.
    var onChange: (@Sendable (_ isEmpty: Bool) -> Void)?
  }

  package init(_ service: ConnectionService) {
    self.service = service
    connections = .makeBoxSendingValue(Connections(), eventLoop: loop)
  }

  /// Sets the function that is called on the event loop when the first connection opens, and when
  /// the last connection has closed. A connection is the first if no other connection is open. The
  /// function is also called once now, because connections may already be open.
  package func onChange(_ body: @escaping @Sendable (_ isEmpty: Bool) -> Void) {
    connections.eventLoop.execute {
      self.connections.value.onChange = body
      body(self.connections.value.open.isEmpty)
    }
  }

  /// Begins to listen. Returns the port; nil for a unix socket.
  @discardableResult
  package func listen(at place: WebListener) async throws -> Int? {
    let bootstrap = ServerBootstrap(group: loop)
      .serverChannelOption(ChannelOptions.backlog, value: 128)
      .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
      .childChannelOption(ChannelOptions.maxMessagesPerRead, value: 1)
      .childChannelOption(
        ChannelOptions.recvAllocator,
        value: FixedSizeRecvByteBufferAllocator(capacity: ConnectionPipeline.readBytesMax)
      )
      .childChannelInitializer { self.begin($0) }
    let channel: any Channel
    switch place {
    case .descriptor(let descriptor):
      channel = try await bootstrap.withBoundSocket(descriptor).get()
    case .address(let address, let port):
      channel = try await bootstrap.bind(
        to: SocketAddress(ipAddress: "\(address)", port: port)
      ).get()
    }
    listeners.withLock { $0.append(channel) }
    return channel.localAddress?.port
  }

  // MARK: Connections

  private func begin(_ channel: any Channel) -> EventLoopFuture<Void> {
    guard let remote = channel.remoteAddress, remote.protocol != .unix,
      let address = remote.ipAddress.flatMap({ IPAddress(Self.withoutZone($0)) })
    else { return beginLocal(channel) }
    return channel.eventLoop.makeCompletedFuture {
      try add(channel, .address(address), port: channel.localAddress?.port)
    }
  }

  /// Adds the connection of a client of a unix socket. The kernel reports the client's user.
  private func beginLocal(_ channel: any Channel) -> EventLoopFuture<Void> {
    guard let options = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeCompletedFuture {
        try add(channel, .local(user: nil), port: nil)
      }
    }
    let credentials: EventLoopFuture<PeerCredentials> = options.unsafeGetSocketOption(
      level: NIOBSDSocket.OptionLevel(rawValue: SOL_SOCKET),
      name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    return credentials.flatMapThrowing {
      try self.add(channel, .local(user: $0.user), port: nil)
    }
  }

  /// The kernel's `struct ucred`.
  private struct PeerCredentials: Sendable {
    var process: Int32 = 0
    var user: UInt32 = 0
    var group: UInt32 = 0
  }

  private func add(_ channel: any Channel, _ peer: WebPeer, port: Int?) throws {
    guard !connections.value.isStopping, connections.value.count.add(peer) else {
      throw ChannelError.connectTimeout(.zero)
    }
    let handler = ConnectionHandler(service, peer: peer, port: port)
    let key = ObjectIdentifier(channel)
    connections.value.open[key] = handler
    if connections.value.open.count == 1 { connections.value.onChange?(false) }
    channel.closeFuture.whenComplete { _ in self.end(key, peer) }
    try ConnectionPipeline.configure(channel, handler)
  }

  private func end(_ key: ObjectIdentifier, _ peer: WebPeer) {
    connections.value.open[key] = nil
    connections.value.count.remove(peer)
    guard connections.value.open.isEmpty else { return }
    connections.value.onChange?(true)
    connections.value.emptied?()
    connections.value.emptied = nil
  }

  private static func withoutZone(_ address: String) -> String {
    String(address.prefix { $0 != "%" })
  }

  // MARK: Stopping

  /// The maximum time for ending the current requests when the server stops.
  private static let graceSeconds: Int64 = 5

  /// Stops listening. Closes idle and lingering connections immediately. Closes each other
  /// connection after its answer, and at the latest after `graceSeconds`. Returns when all
  /// connections are closed.
  package func stop() async {
    let channels = listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
    for channel in channels { try? await channel.close() }
    let empty = loop.makePromise(of: Void.self)
    loop.execute {
      self.connections.value.isStopping = true
      self.connections.value.emptied = { empty.succeed() }
      for handler in self.connections.value.open.values { handler.stop() }
      if self.connections.value.open.isEmpty {
        self.connections.value.emptied = nil
        empty.succeed()
      }
    }
    let late = loop.scheduleTask(in: .seconds(Self.graceSeconds)) {
      for handler in self.connections.value.open.values { handler.closeNow() }
    }
    try? await empty.futureResult.get()
    late.cancel()
  }
}

extension WebServer {
  /// Limits the process to one event loop. Call this function before the first server is created.
  package static func useOneLoop() { NIOSingletons.groupLoopCountSuggestion = 1 }
}
