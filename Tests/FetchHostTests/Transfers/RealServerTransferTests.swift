import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Glibc
import Testing

/// Tests of transfers from real servers, with the servers' own ranges, entity tags and HTTP/2.
@Suite struct RealServerTransferTests {
  private static let size: Int64 = 20_000_000

  private func write(_ pattern: FilePattern, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    let bytes = pattern.all
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed"), arguments: [false, true])
  func `a download from nginx is interrupted and resumed`(isTLS: Bool) async throws {
    let nginx = try NginxServer(files: [:])
    let pattern = FilePattern(size: Self.size)
    try write(pattern, to: nginx.folder + "/files/big")
    let url =
      isTLS
      ? "https://localhost:\(nginx.tlsPort)/big" : "http://127.0.0.1:\(nginx.plainPort)/big"
    let bench = try TransferBench(
      try TransferBench.request(url, size: Self.size),
      admits: { !(6_000_000...6_600_000).contains($0) && !(9_000_000...9_600_000).contains($0) },
      policy: { $0.caFile = nginx.caFile })
    #expect(await bench.attempt() == .stopped)
    let state = await bench.runToEnd()
    #expect(state == .done, "\(bench.record)")
    #expect(pattern.isFile(bench.path()))
    #expect(bench.admittedBytes == Self.size)
  }

  @Test(.enabled(if: ApacheServer.isInstalled, "apache2 is not installed"))
  func `a download from Apache is interrupted and resumed`() async throws {
    let apache = try ApacheServer()
    let pattern = FilePattern(size: Self.size)
    try write(pattern, to: apache.folder + "/files/big.tar.gz")
    // Apache's entity tag is weak for a file that was changed a moment ago.
    let longAgo = timeval(tv_sec: 1_000_000_000, tv_usec: 0)
    #expect(utimes(apache.folder + "/files/big.tar.gz", [longAgo, longAgo]) == 0)
    let bench = try TransferBench(
      try TransferBench.request("http://127.0.0.1:\(apache.port)/big.tar.gz", size: Self.size),
      admits: { !(6_000_000...6_600_000).contains($0) })
    #expect(await bench.attempt() == .stopped)
    #expect(await bench.runToEnd() == .done)
    #expect(pattern.isFile(bench.path()))
    #expect(bench.admittedBytes == Self.size)
  }
}
