import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct AddressBlockTests {
  @Test(arguments: [
    ("10.0.0.0/8", "10.0.0.0/8"), ("192.168.1.10", "192.168.1.10"),
    ("192.168.1.10/32", "192.168.1.10"), ("0.0.0.0/0", "0.0.0.0/0"), ("fd00::/8", "fd00::/8"),
    ("FD00:0::/8", "fd00::/8"), ("::1", "::1"), ("::1/128", "::1"), ("::/0", "::/0"),
    ("::ffff:10.0.0.0/104", "10.0.0.0/8"), ("::ffff:7f00:1", "127.0.0.1"),
    ("64:ff9b::/96", "64:ff9b::/96"),
  ]) func `a block is parsed and written in one form`(text: String, written: String) throws {
    let block = try AddressBlock(parsing: text)
    #expect(block.description == written)
    #expect(try AddressBlock(parsing: written) == block)
  }

  @Test(arguments: [
    "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/+8", "10.0.0.0/-1",
    "10.0.0.0/8/8", "10.0.0.0 /8", " 10.0.0.0/8", "10.0.0/8", "10/8", "0x0a.0.0.0/8", "010.0.0.0/8",
    "10.0.0.0/8\0", "fd00::/129", "[fd00::]/8", "fd00::%eth0/64", "example.org", "*", "fd00:::/8",
    "10.0.0.0/999999999999999999999", "１０.0.0.0/8", "10.0.0.0/٨",
  ]) func `an invalid block is refused with a valid form`(text: String) {
    #expect(
      throws: AddressBlockError(
        "'\(text)' is not an address block: use a block such as 192.168.0.0/16 or fd00::/8, or a"
          + " single address")
    ) { try AddressBlock(parsing: text) }
  }

  @Test(arguments: [
    ("10.0.0.7/8", "10.0.0.0/8", "10.0.0.7"), ("192.168.1.1/31", "192.168.1.0/31", "192.168.1.1"),
    ("fd00::1/64", "fd00::/64", "fd00::1"),
    ("::ffff:10.0.0.0/90", "::ffc0:0:0/90", "::ffff:10.0.0.0"),
  ]) func `an address inside a block is refused as a block, with both possible meanings`(
    text: String, block: String, address: String
  ) {
    #expect(
      throws: AddressBlockError(
        "'\(text)' is not the start of a block: use \(block) or \(address)")
    ) { try AddressBlock(parsing: text) }
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.0.0.0", true), ("10.0.0.0/8", "10.255.255.255", true),
    ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.0/8", "9.255.255.255", false),
    ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("10.0.0.0/8", "64:ff9b::10.1.2.3", false),
    ("10.0.0.0/8", "2002:a01:203::", false), ("10.0.0.0/8", "::10.1.2.3", false),
    ("172.16.0.0/12", "172.31.255.255", true), ("172.16.0.0/12", "172.32.0.0", false),
    ("192.168.1.10", "192.168.1.10", true), ("192.168.1.10", "192.168.1.11", false),
    ("0.0.0.0/0", "127.0.0.1", true), ("0.0.0.0/0", "::1", false),
    ("::/0", "fd00::1", true), ("::/0", "127.0.0.1", false), ("::/0", "::ffff:127.0.0.1", false),
    ("fd00::/9", "fd7f:ffff::1", true), ("fd00::/9", "fd80::1", false),
    ("64:ff9b::/96", "64:ff9b::10.1.2.3", true),
  ]) func `an address is in a block if it has its first bits`(
    block: String, address: String, isInside: Bool
  ) throws {
    let place = try #require(IPAddress(address))
    #expect(try AddressBlock(parsing: block).contains(place) == isInside)
  }

  /// The texts have digits, dots, colons, slashes and other characters in any order.
  @Test func `no text traps, and a parsed block contains its own first address`() throws {
    var chance = SeededGenerator(seed: 20_261_121)
    let letters = Array("0123456789abcdefx.:/[]%+- \u{0}é".unicodeScalars.map(String.init))
    let parts = ["10.0.0.0", "::", "fd00::", "/8", "/0", "/128", "/32", "255", ":ffff:", "1", "."]
    var readCount = 0
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<Int.random(in: 0..<8, using: &chance) {
        text +=
          Int.random(in: 0..<2, using: &chance) == 0
          ? letters[Int.random(in: 0..<letters.count, using: &chance)]
          : parts[Int.random(in: 0..<parts.count, using: &chance)]
      }
      guard let block = try? AddressBlock(parsing: text) else { continue }
      readCount += 1
      #expect(block.contains(block.first))
      #expect(try AddressBlock(parsing: block.description) == block)
    }
    #expect(readCount > 100)
  }

  /// Each result is compared with the result of integer arithmetic.
  @Test func `an IPv4 address is in a block if its number is in the block's range`() throws {
    var chance = SeededGenerator(seed: 7)
    for _ in 0..<5_000 {
      let length = Int.random(in: 0..<33, using: &chance)
      let mask: UInt32 = length == 0 ? 0 : ~UInt32(0) << UInt32(32 - length)
      let start = UInt32(truncatingIfNeeded: chance.next()) & mask
      let block = try AddressBlock(parsing: "\(Self.text(start))/\(length)")
      for _ in 0..<4 {
        let near = Int.random(in: 0..<2, using: &chance) == 0
        let number =
          near
          ? start &+ UInt32(truncatingIfNeeded: chance.next()) % 600 &- 300
          : UInt32(truncatingIfNeeded: chance.next())
        let address = try #require(IPAddress(Self.text(number)))
        #expect(block.contains(address) == (number & mask == start))
      }
    }
  }

  private static func text(_ number: UInt32) -> String {
    [24, 16, 8, 0].map { String(number >> $0 & 255) }.joined(separator: ".")
  }
}
