/// Whether this machine is on mains power, according to the kernel.
package enum PowerSupply {
  /// A folder for each supply, as the kernel documents it (sysfs-class-power).
  package static let folder = "/sys/class/power_supply"

  /// Whether the machine is on mains power. False only if a battery powers it: one that discharges,
  /// or any if the mains are known to be off. A machine without a battery, or without information,
  /// counts as on mains.
  package static func isOnMains(folder: String = folder) -> Bool {
    let supplies = FolderNames.all(in: folder).map { Supply(folder: folder + "/" + $0) }
    if supplies.contains(where: { $0.isSource && $0.isOnline == true }) { return true }
    let batteries = supplies.filter(\.isBattery)
    let isMainsOff = supplies.contains { $0.kind == "Mains" && $0.isOnline == false }
    return !batteries.contains { $0.isDischarging || isMainsOff }
  }

  private struct Supply {
    let kind: String?
    /// Whether power comes from it; nil if the kernel does not report it.
    let isOnline: Bool?
    let isDischarging: Bool
    /// Whether it is the battery of a mouse or a headset.
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
