/// The power supplies of this machine, as the kernel reports them.
package enum PowerSupply {
  /// The folder with one folder for each power supply (see sysfs-class-power in the kernel's
  /// documentation).
  package static let folder = "/sys/class/power_supply"

  /// Whether the machine is on mains power. The result is false only if a battery discharges, or if
  /// there is a battery and the mains are known to be off. A machine without a battery, or without
  /// information, counts as on mains.
  package static func isOnMains(folder: String = folder) -> Bool {
    let supplies = FolderNames.all(in: folder).map { Supply(folder: folder + "/" + $0) }
    if supplies.contains(where: { $0.isSource && $0.isOnline == true }) { return true }
    let batteries = supplies.filter(\.isBattery)
    let isMainsOff = supplies.contains { $0.kind == "Mains" && $0.isOnline == false }
    return !batteries.contains { $0.isDischarging || isMainsOff }
  }

  private struct Supply {
    let kind: String?
    /// Whether the supply provides power; nil if the kernel does not report this fact.
    let isOnline: Bool?
    let isDischarging: Bool
    /// Whether the supply is the battery of a device such as a mouse or a headset.
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
