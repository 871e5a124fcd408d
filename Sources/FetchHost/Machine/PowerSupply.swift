/// Whether this machine is on mains power, as the kernel tells it.
package enum PowerSupply {
  /// Said by the kernel's documentation (sysfs-class-power): a folder per supply.
  package static let folder = "/sys/class/power_supply"

  /// False only where a battery of the machine feeds it: one that is discharging, or any where the
  /// mains are known to be off. What has no battery, or says nothing, counts as on mains.
  package static func isOnMains(folder: String = folder) -> Bool {
    let supplies = FolderNames.all(in: folder).map { Supply(folder: folder + "/" + $0) }
    if supplies.contains(where: { $0.isSource && $0.isOnline == true }) { return true }
    let batteries = supplies.filter(\.isBattery)
    let isMainsOff = supplies.contains { $0.kind == "Mains" && $0.isOnline == false }
    return !batteries.contains { $0.isDischarging || isMainsOff }
  }

  private struct Supply {
    let kind: String?
    /// Nil where it is not said.
    let isOnline: Bool?
    let isDischarging: Bool
    /// The battery of a mouse or a headset.
    private let isOfDevice: Bool

    init(folder: String) {
      kind = SmallFile.line(folder + "/type")
      isOnline = SmallFile.line(folder + "/online").map { $0 != "0" }
      isDischarging = SmallFile.line(folder + "/status") == "Discharging"
      isOfDevice = SmallFile.line(folder + "/scope") == "Device"
    }

    var isSource: Bool { kind == "Mains" || kind == "USB" }
    var isBattery: Bool { kind == "Battery" && !isOfDevice }
  }
}
