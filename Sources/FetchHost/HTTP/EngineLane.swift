import CHost

/// A multi handle of libcurl, with its connection pool and its timer.
final class EngineLane {
  /// The maximum number of connections to one host, which is polite to HTTP/1 servers. Without this
  /// limit, HTTP/2 opens hundreds of connections.
  static let connectionsPerHostMax = 6
  /// The maximum number of connections that are kept for reuse. libcurl searches all of these
  /// connections at each transfer; for thousands of them, the search costs more than reuse saves.
  static let connectionsKeptMax = 128

  let multi: UnsafeMutableRawPointer
  private let set: Int32
  private let index: Int
  /// The time when libcurl must be called even if nothing happens on its sockets; nil if libcurl
  /// has set no timer.
  fileprivate(set) var timerAt: ContinuousClock.Instant?

  init?(set: Int32, index: Int) {
    self.set = set
    self.index = index
    guard let multi = ccurl_multi_create(onSocket, onTimer) else { return nil }
    self.multi = multi
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_multi_set_context(multi, context)
    _ = ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.connectionsKeptMax)
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, Self.connectionsPerHostMax)
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, EngineLoop.activeMax * 2)
  }

  func handle(_ event: cready_event) {
    var what: Int32 = 0
    if event.what & Int32(CREADY_IN) != 0 { what |= CURL_CSELECT_IN }
    if event.what & Int32(CREADY_OUT) != 0 { what |= CURL_CSELECT_OUT }
    if event.what & Int32(CREADY_ERROR) != 0 { what |= CURL_CSELECT_ERR }
    let socket = Int32(truncatingIfNeeded: event.tag & 0xFFFF_FFFF)
    _ = ccurl_multi_socket_action(multi, socket, what)
  }

  func fireTimerIfDue() {
    guard let due = timerAt, due <= .now else { return }
    timerAt = nil
    _ = ccurl_multi_socket_action(multi, CURL_SOCKET_BAD, 0)
  }

  func close() { ccurl_multi_destroy(multi) }

  fileprivate func watch(_ socket: Int32, _ wish: Int32) {
    guard wish != CURL_POLL_REMOVE else { return cready_forget(set, socket) }
    var what: Int32 = 0
    if wish & CURL_POLL_IN != 0 { what |= Int32(CREADY_IN) }
    if wish & CURL_POLL_OUT != 0 { what |= Int32(CREADY_OUT) }
    let tag = UInt64(index) << 32 | UInt64(UInt32(bitPattern: socket))
    _ = cready_watch(set, socket, what, tag)
  }
}

private func lane(_ context: UnsafeMutableRawPointer) -> EngineLane {
  Unmanaged<EngineLane>.fromOpaque(context).takeUnretainedValue()
}

private let onSocket: ccurl_socket_function = { _, socket, wish, context, _ in
  if let context { lane(context).watch(socket, wish) }
  return 0
}

private let onTimer: ccurl_timer_function = { _, milliseconds, context in
  guard let context else { return 0 }
  lane(context).timerAt = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
  return 0
}
