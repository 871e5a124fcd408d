import FetchModel
import FetchValues
import Testing

@Suite struct AddressClassTests {
  @Test(arguments: [
    ("8.8.8.8", AddressClass.global), ("1.1.1.1", .global), ("223.255.255.254", .global),
    ("172.15.0.1", .global), ("172.32.0.1", .global), ("100.63.0.1", .global),
    ("100.128.0.1", .global), ("198.17.0.1", .global), ("198.20.0.1", .global),
    ("0.0.0.0", .unspecified), ("0.1.2.3", .reserved), ("10.0.0.7", .privateUse),
    ("100.64.0.1", .shared), ("100.127.255.255", .shared), ("127.0.0.1", .loopback),
    ("127.9.9.9", .loopback), ("169.254.1.1", .linkLocal), ("172.16.0.1", .privateUse),
    ("172.31.255.255", .privateUse), ("192.0.0.8", .reserved), ("192.0.2.1", .documentation),
    ("192.88.99.1", .reserved), ("192.168.1.1", .privateUse), ("198.19.1.1", .benchmarking),
    ("198.51.100.1", .documentation), ("203.0.113.1", .documentation), ("224.0.0.1", .multicast),
    ("239.255.255.250", .multicast), ("240.0.0.1", .reserved), ("255.255.255.255", .reserved),
    ("169.254.169.254", .metadata), ("100.100.100.200", .metadata), ("168.63.129.16", .metadata),
    ("192.0.0.192", .metadata),
    ("2606:4700:4700::1111", .global), ("2a00:1450::1", .global), ("3ffe::1", .global),
    ("::", .unspecified), ("::1", .loopback), ("::2", .reserved), ("fc00::1", .privateUse),
    ("fd12:3456::1", .privateUse), ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
    ("fec0::1", .privateUse), ("ff02::1", .multicast), ("2001:db8::1", .documentation),
    ("3fff:1::1", .documentation), ("2001::1", .reserved), ("2001:2::1", .benchmarking),
    ("2001:20::1", .reserved), ("fd00:ec2::254", .metadata), ("fd20:ce::254", .metadata),
    ("4000::1", .reserved), ("100::1", .reserved), ("64:ff9b:1::1", .reserved),
    ("::ffff:127.0.0.1", .loopback), ("::ffff:8.8.8.8", .global), ("::ffff:a9fe:a9fe", .metadata),
    ("64:ff9b::10.0.0.1", .privateUse), ("64:ff9b::808:808", .global),
    ("2002:7f00:1::", .loopback), ("2002:808:808::1", .global), ("::127.0.0.1", .reserved),
    ("::ffff:0:127.0.0.1", .reserved),
  ]) func `an address has the class of the IANA registries`(text: String, kind: AddressClass) throws
  {
    #expect(AddressClass(try #require(IPAddress(text))) == kind)
  }

  @Test(arguments: [
    "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.256", "1.2.3.", "0x1.2.3.4", "", "1.2.3.4 ", ":",
    ":::", "1::2::3", "::1%lo", "12345::", "g::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1.2.3",
    "1:2:3:4:5:6:7::8", "1.2.3.4::", "::1:", ":1::",
  ]) func `other spellings of an address are refused`(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test(arguments: [
    ("2001:0db8:0000:0000:0001:0000:0000:0001", "2001:db8::1:0:0:1"), ("::", "::"),
    ("0:0:0:0:0:0:0:1", "::1"), ("1:0:0:0:0:0:0:0", "1::"), ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
    ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("FE80::A", "fe80::a"),
  ]) func `the text of an IPv6 address follows RFC 5952`(text: String, canonical: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.description == canonical)
    #expect(IPAddress(canonical) == address)
  }
}
