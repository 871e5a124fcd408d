import FetchModel
import Testing

/// Tests of the configs that queued deliveries, found by the ids in the outbox.
@Suite struct StoreConfigsTests {
  private static func configs(_ uses: [(config: String, ids: [Int64])]) -> StoreConfigs {
    var configs = StoreConfigs()
    for use in uses { configs.use(use.config, ids: use.ids) }
    return configs
  }

  @Test func `a delivery belongs to the config that used the store when the delivery was queued`() {
    let configs = Self.configs([("/a", []), ("/b", [1, 2]), ("/a", [1, 2, 3])])
    #expect(configs.current == "/a")
    #expect((1...5).map { configs.config(ofDelivery: $0) } == ["/a", "/a", "/b", "/a", "/a"])
  }

  @Test func `a delivery that is older than the first known config belongs to that config`() {
    #expect(Self.configs([("/a", [7, 8])]).config(ofDelivery: 7) == "/a")
    #expect(StoreConfigs().config(ofDelivery: 7) == nil)
    #expect(StoreConfigs().current == nil)
  }

  @Test func `a config without deliveries is forgotten`() {
    let back = Self.configs([("/a", []), ("/b", [1]), ("/a", [1])])
    #expect(back == Self.configs([("/a", [])]))
    let alone = Self.configs([("/a", []), ("/b", [])])
    #expect(alone == Self.configs([("/b", [])]))
  }

  @Test func `configs that use the store in turn are remembered up to a limit`() {
    var configs = StoreConfigs()
    for number in 0..<100 { configs.use("/\(number % 2)", ids: (0..<number).map { Int64($0 + 1) }) }
    #expect(configs.config(ofDelivery: 1) == nil)
    #expect(configs.config(ofDelivery: 99) == "/0")
    #expect(configs.config(ofDelivery: 100) == "/1")
    #expect(StoreConfigs(decoding: configs.encoded) == configs)
  }

  @Test func `an entry is read back, and an unreadable one is ignored`() {
    let configs = Self.configs([("/a", []), ("/b\n", [3]), ("/c", [3, 4])])
    let bytes = configs.encoded
    #expect(StoreConfigs(decoding: bytes) == configs)
    for length in bytes.indices {
      _ = StoreConfigs(decoding: Array(bytes[..<length])).config(ofDelivery: 4)
    }
    #expect(StoreConfigs(decoding: []).current == nil)
    #expect(StoreConfigs(decoding: [0xff, 0xff, 0xff]).current == nil)
  }
}
