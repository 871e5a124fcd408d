import FetchHost
import FetchTestSupport
import Testing

@Suite struct PowerSupplyTests {
  typealias Supply = [String: String]

  static let mainsOn: Supply = ["type": "Mains", "online": "1"]
  static let mainsOff: Supply = ["type": "Mains", "online": "0"]
  static let charger: Supply = ["type": "USB", "online": "1"]
  static let emptyPort: Supply = ["type": "USB", "online": "0"]
  static let discharging: Supply = ["type": "Battery", "status": "Discharging"]
  static let full: Supply = ["type": "Battery", "status": "Full", "scope": "System"]
  static let mouse: Supply = ["type": "Battery", "status": "Discharging", "scope": "Device"]

  @Test(
    arguments: [
      ([], true),
      ([mainsOn, full], true),
      ([mainsOn, discharging], true),
      ([mainsOff, discharging], false),
      ([mainsOff, full], false),
      ([discharging], false),
      ([full], true),
      ([emptyPort, discharging], false),
      ([emptyPort, charger, discharging], true),
      ([emptyPort], true),
      ([mouse], true),
      ([mainsOff, mouse], true),
      ([[:]], true),
    ] as [([Supply], Bool)])
  func `a machine is on mains power unless a battery powers it`(supplies: [Supply], isOnMains: Bool)
    throws
  {
    let folder = try TemporaryFolder.make("power")
    for (number, supply) in supplies.enumerated() {
      try TemporaryFolder.makeFolder("\(folder)/\(number)")
      for (name, text) in supply {
        try TemporaryFolder.write(text + "\n", to: "\(folder)/\(number)/\(name)")
      }
    }
    #expect(PowerSupply.isOnMains(folder: folder) == isOnMains)
  }

  @Test func `a machine without information on its power is on mains power`() {
    #expect(PowerSupply.isOnMains(folder: "/nowhere"))
  }
}
