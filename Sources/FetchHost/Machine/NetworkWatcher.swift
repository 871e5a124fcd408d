import Glibc
import Synchronization

/// Tells when this machine's network comes and goes, without asking for it again and again: the
/// kernel says when links and addresses change (rtnetlink(7)).
package final class NetworkWatcher: Sendable {
  private let isOnline: @Sendable () -> Bool
  private let running = Mutex<ThreadStop?>(nil)

  /// `isOnline` answers after each change.
  package init(isOnline: @escaping @Sendable () -> Bool = { NetworkPresence.isOnline }) {
    self.isOnline = isOnline
  }

  /// Calls `onChange`, on a thread of its own, each time the answer is another one. Returns the
  /// answer to begin with; later ones are known to come only where the kernel can be listened to.
  /// To be called once.
  package func start(_ onChange: @escaping @Sendable (Bool) -> Void) -> Bool {
    guard let events = Self.routeSocket() else { return isOnline() }
    return start(events: events, onChange)
  }

  /// Takes over `events`, a datagram socket that does not block; what comes from it only wakes.
  package func start(
    events: Int32, _ onChange: @escaping @Sendable (Bool) -> Void
  ) -> Bool {
    // Asked after listening has begun: no change falls between.
    let first = isOnline()
    guard let wake = WakeSignal() else {
      close(events)
      return first
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
    return first
  }

  /// No call comes after it has returned.
  package func stop() async { await running.withLock { $0 }?.stop() }

  /// An overrun (ENOBUFS) is a change, too; it is cleared by being read.
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
    // struct sockaddr_nl, which Swift's Glibc does not have.
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
  /// RTMGRP_LINK, RTMGRP_IPV4_IFADDR and RTMGRP_IPV6_IFADDR of linux/rtnetlink.h.
  private static let changes: UInt32 = 0x1 | 0x10 | 0x100
}
