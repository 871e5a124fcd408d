import CHost
import FetchModel

/// libcurl's handles for the transfers of one loop. Some are kept and used again, because libcurl
/// takes longer to create and to destroy a handle than to reset it.
struct EasyHandles {
  /// The maximum number of kept handles: as many transfers can end before the next ones begin. A
  /// kept handle takes about 6 KB.
  private static let keptMax = EngineLoop.eventsMax

  private var kept: [UnsafeMutableRawPointer] = []

  /// Returns a handle whose options have their defaults; nil if libcurl cannot create one.
  mutating func next() -> UnsafeMutableRawPointer? { kept.popLast() ?? ccurl_create() }

  /// Keeps or destroys the handle of an ended transfer, which is not in a multi handle any more. A
  /// handle with a TLS session or the credentials of a proxy is destroyed, because a reset does not
  /// remove them. So is the handle of a transfer that failed.
  mutating func takeBack(
    _ easy: UnsafeMutableRawPointer, after hop: HTTPHop, _ fault: HTTPFault?
  ) {
    guard fault == nil, hop.target.scheme == .http, hop.proxy == nil, kept.count < Self.keptMax
    else { return ccurl_destroy(easy) }
    ccurl_reset(easy)
    kept.append(easy)
  }

  /// Destroys the kept handles.
  mutating func close() {
    for easy in kept { ccurl_destroy(easy) }
    kept.removeAll()
  }
}
