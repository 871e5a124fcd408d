import CHost
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchHost

@Suite struct BodyDecoderTests {
  static let plain = CodedBodies.plain
  static let samples = CodedBodies.bytes

  private func answer(
    _ coding: String, _ body: [UInt8], _ fixture: SessionFixture = SessionFixture()
  ) async throws -> Result<HTTPAnswer, Failure> {
    let server = try ScriptedServer { _, connection in
      connection.answer(200, ["Content-Encoding: \(coding)"], bytes: body)
    }
    return await fixture.get(server.url)
  }

  @Test(arguments: ["gzip", "x-gzip", "GZIP", "deflate", "raw deflate", "br", "zstd"])
  func `each coding is decoded`(name: String) async throws {
    let sample = try #require(Self.samples[name == "x-gzip" || name == "GZIP" ? "gzip" : name])
    let coding = name == "raw deflate" ? "deflate" : name
    #expect(try await answer(coding, sample).get().text == Self.plain)
  }

  @Test(arguments: ["gzip", "deflate", "raw deflate", "br", "zstd"])
  func `each truncated coded body is a failure, never a shorter body`(name: String) async throws {
    let sample = try #require(Self.samples[name])
    let coding = name == "raw deflate" ? "deflate" : name
    for count in 1..<sample.count {
      let result = try await answer(coding, Array(sample[..<count]))
      #expect(result.failure?.code == .invalidResponse, "cut at \(count) of \(sample.count)")
    }
  }

  @Test func `the failure names the source of the body`() async throws {
    let failure = try await answer("gzip", Array("plain text".utf8)).failure
    #expect(failure?.message.hasSuffix("is cut off or damaged") == true)
    #expect(failure?.message.hasPrefix("the gzip body from 127.0.0.1:") == true)
  }

  @Test func `several gzip members are joined, and padding is ignored`() async throws {
    let sample = try #require(Self.samples["gzip"])
    #expect(try await answer("gzip", sample + sample).get().text == Self.plain + Self.plain)
    #expect(try await answer("gzip", sample + [0, 0, 0]).get().text == Self.plain)
    let cut = try await answer("gzip", sample + sample.prefix(9))
    #expect(cut.failure?.code == .invalidResponse)
  }

  @Test func `a further gzip member needs only the space of its own body`() throws {
    let sample = try #require(Self.samples["gzip"])
    let empty = try #require(Self.samples["empty gzip"])
    let size = Self.plain.utf8.count
    let headers = [HTTPField("content-encoding", "gzip")]
    let bodies: [(bytes: [UInt8], count: Int)] = [
      (sample + empty, size), (empty + sample + empty, size), (sample + sample, 2 * size),
      (sample + empty + sample, 2 * size),
    ]
    for (body, count) in bodies {
      let whole = BodyDecoder.decode(body, headers: headers, bytesMax: count, ratioMax: 200)
      #expect(whole.map(\.count) == .success(count))
      let cut = BodyDecoder.decode(body, headers: headers, bytesMax: count - 1, ratioMax: 200)
      #expect(cut == .failure(.bodyTooBig(count - 1)))
    }
  }

  @Test func `several codings are decoded one after the other`() async throws {
    let sample = try #require(Self.samples["gzip twice"])
    #expect(try await answer("gzip, gzip", sample).get().text == Self.plain)
    #expect(try await answer("gzip,identity , gzip", sample).get().text == Self.plain)
    let many = try await answer("gzip, gzip, gzip, gzip", sample)
    #expect(many.failure?.code == .invalidResponse)
    #expect(
      many.failure?.message.hasSuffix(
        "sent a body with more than 3 codings: gzip, gzip, gzip, gzip") == true)
  }

  @Test func `an unknown coding is refused by name`() async throws {
    let failure = try await answer("snappy", [1, 2, 3]).failure
    #expect(
      failure?.message.hasSuffix("sent a body with an unsupported coding: snappy") == true)
  }

  @Test func `a lack of memory is not reported as an unknown coding`() {
    var out: UnsafeMutablePointer<UInt8>?
    var count = 0
    // Before the codec reads the body, it requests a buffer of five times the coded size. This is
    // more than an address space of 47 bits has.
    let result = ccodec_decode(CCODEC_BROTLI, [0], 1 << 45, 1 << 61, &out, &count)
    #expect(result == CCODEC_NO_MEMORY)
    #expect(out == nil && count == 0)
  }

  @Test func `an empty body needs no decoding`() async throws {
    #expect(try await answer("gzip", []).get().body.isEmpty)
  }

  @Test(arguments: ["bomb gzip", "bomb br", "bomb zstd"])
  func `a decompression bomb is stopped by its ratio`(name: String) async throws {
    let bomb = try #require(Self.samples[name])
    let coding = String(name.split(separator: " ")[1])
    let failure = try await answer(coding, bomb).failure
    #expect(failure?.code == .bodyLimit)
    #expect(
      failure?.message.hasSuffix(
        "is compressed more than 200-fold (limit: decompressionRatio)") == true)
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd"])
  func `a body is limited after decoding, too`(coding: String) async throws {
    let sample = try #require(Self.samples[coding])
    let headers = [HTTPField("content-encoding", coding)]
    let size = Self.plain.utf8.count
    let whole = BodyDecoder.decode(sample, headers: headers, bytesMax: size, ratioMax: 200)
    #expect(whole == .success(Array(Self.plain.utf8)))
    let cut = BodyDecoder.decode(sample, headers: headers, bytesMax: size - 1, ratioMax: 200)
    #expect(cut == .failure(.bodyTooBig(size - 1)))
  }
}
