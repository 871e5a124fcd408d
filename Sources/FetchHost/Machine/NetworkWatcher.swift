import CHost
import FetchModel
import Glibc
import Synchronization

/// A watcher that reports when this machine goes online or offline. It does not poll, because the
/// kernel reports changes of links and addresses (rtnetlink(7)).
package final class NetworkWatcher: Sendable {
  private let isOnline: @Sendable () -> Bool
  private let running = Mutex<ThreadStop?>(nil)

  /// - Parameter isOnline: returns whether the machine is online. The watcher calls the function in
  ///   `start`, and each time it has received events from the kernel.
  package init(isOnline: @escaping @Sendable () -> Bool = { NetworkPresence.isOnline }) {
    self.isOnline = isOnline
  }

  /// Calls `onChange` with whether the machine is online. Then calls `onChange`, on a thread of its
  /// own, each time the machine goes online or offline. Makes only the first call if the kernel's
  /// events cannot be received. Call `start` only once.
  package func start(_ onChange: @escaping @Sendable (Bool) -> Void) {
    guard let events = Self.routeSocket() else { return onChange(isOnline()) }
    start(events: events, onChange)
  }

  /// Starts the watcher with `events`, a socket whose data only wakes the watcher. Takes ownership
  /// of the socket.
  package func start(events: Int32, _ onChange: @escaping @Sendable (Bool) -> Void) {
    // Checks after the socket has begun to receive events, so that no change is missed.
    let first = isOnline()
    // The thread starts later, so that no earlier state replaces a later one.
    onChange(first)
    guard let wake = WakeSignal() else {
      close(events)
      return
    }
    let stop = ThreadStop(wake)
    stop.begin()
    running.withLock { $0 = stop }
    DedicatedThread.start("network") { [isOnline] in
      var last = first
      var wait = EventWait(events, stop)
      while wait.next(Self.drain) {
        let now = isOnline()
        if now != last { onChange(now) }
        last = now
      }
      close(events)
      stop.finish()
    }
  }

  /// Stops watching. `onChange` is not called after this function has returned.
  package func stop() async { await running.withLock { $0 }?.stop() }

  /// Reads and discards all events. Reading also clears the error ENOBUFS, which the kernel reports
  /// after it has dropped events.
  private static func drain(_ events: Int32) {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = recv(events, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      guard count > 0 || count < 0 && (errno == ENOBUFS || errno == EINTR) else { return }
    }
  }

  private static func routeSocket() -> Int32? {
    let descriptor = socket(
      AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), routeProtocol)
    guard descriptor >= 0 else { return nil }
    // This tuple has the layout of `struct sockaddr_nl`. Swift's Glibc does not have that type.
    var address = (UInt16(AF_NETLINK), UInt16(0), UInt32(0), changes)
    let code = withUnsafeBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        bind(descriptor, $0.baseAddress, socklen_t(bytes.count))
      }
    }
    guard code == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private static let routeProtocol: Int32 = 0
  /// The groups RTMGRP_LINK, RTMGRP_IPV4_IFADDR and RTMGRP_IPV6_IFADDR of linux/rtnetlink.h.
  private static let changes: UInt32 = 0x1 | 0x10 | 0x100
}

/// The check whether this machine is connected to any network.
package enum NetworkPresence {
  package static var isOnline: Bool {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return true }
    defer { freeifaddrs(list) }
    return sequence(state: list) { next -> ifaddrs? in
      let entry = next?.pointee
      next = entry?.ifa_next
      return entry
    }.contains(where: isUsable)
  }

  private static func isUsable(_ entry: ifaddrs) -> Bool {
    guard let address = entry.ifa_addr else { return false }
    let wanted = UInt32(IFF_UP | IFF_RUNNING)
    let family = Int32(address.pointee.sa_family)
    return entry.ifa_flags & wanted == wanted
      && entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      && (family == AF_INET || family == AF_INET6)
  }
}

extension TargetURL {
  /// Whether the hostname is a loopback address, `localhost`, or a name that ends in `.localhost`.
  /// Such a host can be reached even if the machine is offline.
  var isLoopback: Bool {
    address.map { AddressClass($0) == .loopback }
      ?? (hostname == "localhost" || hostname.hasSuffix(".localhost"))
  }
}
