import CHost
import FetchModel
import Glibc

/// Whether this machine is connected to any network.
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
  /// Whether the address is this machine itself, which is never offline.
  var isLoopback: Bool {
    address.map { AddressClass($0) == .loopback }
      ?? (hostname == "localhost" || hostname.hasSuffix(".localhost"))
  }
}
