import FetchModel
import FetchValues
import Testing

@Suite struct PrivateAddressesTests {
  private static func within(_ blocks: String...) throws -> PrivateAddresses {
    .within(try blocks.map { try AddressBlock(parsing: $0) })
  }

  @Test(arguments: [
    ("10.1.2.3", true), ("::ffff:10.1.2.3", true), ("10.2.0.0", false), ("127.0.0.1", false),
    ("169.254.169.254", false), ("::1", false), ("64:ff9b::10.1.2.3", false),
    ("2002:a01:203::", false), ("93.184.215.14", true), ("2606:4700::1111", true),
  ]) func `a block admits its addresses, and public ones need none`(
    address: String, isAdmitted: Bool
  ) throws {
    let place = try #require(IPAddress(address))
    #expect(try Self.within("10.1.0.0/16").admits(place) == isAdmitted)
    #expect(PrivateAddresses.all.admits(place))
    #expect(PrivateAddresses.none.admits(place) == (AddressClass(place) == .global))
  }

  @Test func `two permissions for private addresses are combined`() throws {
    let both = try Self.within("10.0.0.0/8").union(try Self.within("::1", "10.0.0.0/8"))
    #expect(both == (try Self.within("10.0.0.0/8", "::1")))
    #expect(both.union(.none) == both)
    #expect(PrivateAddresses.none.union(both) == both)
    #expect(both.union(.all) == .all)
    #expect(PrivateAddresses.none.union(.none) == .none)
  }
}
