import FetchEngine
import FetchTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.minutes(5))) struct ServiceNotifierTests {
  /// The socket on which a service manager listens.
  private final class ManagerSocket {
    let descriptor: Int32

    init(_ name: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var bytes = Array(name.utf8)
      let isAbstract = name.hasPrefix("@")
      if isAbstract { bytes[0] = 0 }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let length = socklen_t(2 + bytes.count + (isAbstract ? 0 : 1))
      let code = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
      }
      try #require(code == 0)
    }

    deinit { close(descriptor) }

    func next() -> String {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
  }

  @Test(arguments: [true, false])
  func `the service manager is notified of the start, reloads and the stop`(isAbstract: Bool) throws
  {
    let folder = try TemporaryFolder.make("notify")
    let name = isAbstract ? "@" + folder : folder + "/notify"
    let manager = try ManagerSocket(name)
    let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": name])
    notifier.ready("12 jobs")
    #expect(manager.next() == "READY=1\nSTATUS=12 jobs")
    notifier.status("a\nREADY=1")
    #expect(manager.next() == "STATUS=a READY=1")
    notifier.alive()
    #expect(manager.next() == "WATCHDOG=1")
    notifier.reloading()
    let reloading = manager.next().split(separator: "\n")
    #expect(reloading.first == "RELOADING=1")
    let time = try #require(reloading.last?.split(separator: "="))
    #expect(time.first == "MONOTONIC_USEC")
    #expect(time.last.flatMap { Int64($0) } ?? 0 > 0)
    notifier.ready()
    #expect(manager.next() == "READY=1")
    notifier.stopping("draining")
    #expect(manager.next() == "STOPPING=1\nSTATUS=draining")
  }

  @Test(arguments: [[:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "/nowhere/socket"]])
  func `no notification fails if no manager listens`(environment: [String: String]) {
    let notifier = ServiceNotifier(environment: environment)
    notifier.ready()
    notifier.stopping()
    #expect(notifier.watchdogTimeout == nil)
  }

  @Test(
    arguments: [
      (["WATCHDOG_USEC": "30000000"], Duration.seconds(30)),
      (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], .seconds(30)),
      (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil),
      (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "soon"], nil),
      (["WATCHDOG_USEC": "99999999999999999999"], nil), ([:], nil),
    ] as [([String: String], Duration?)])
  func `the watchdog's time applies only if it is meant for this process`(
    environment: [String: String], timeout: Duration?
  ) {
    let notifier = ServiceNotifier(environment: environment, process: 7)
    #expect(notifier.watchdogTimeout == timeout)
  }
}
