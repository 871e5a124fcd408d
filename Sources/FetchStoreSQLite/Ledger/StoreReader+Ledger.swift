package import FetchModel
package import FetchStore
package import FetchValues

/// The reads of single entries of the ledger.
extension StoreReader {
  package func sharedMemory() throws(StoreError) -> SharedMemory {
    SharedMemory(ledger: try ledger())
  }

  package func paces(of hooks: Set<HookName>) throws(StoreError) -> [HookName: [UInt8]] {
    var paces: [HookName: [UInt8]] = [:]
    for hook in hooks { paces[hook] = try ledgerEntry(LedgerName.pace(ofHook: hook)) }
    return paces
  }

  package func configs() throws(StoreError) -> StoreConfigs {
    StoreConfigs(decoding: try ledgerEntry(LedgerName.configs) ?? [])
  }

  package func waits() throws(StoreError) -> [JobName: Timestamp] {
    let content = try ledgerEntry(LedgerName.waits) ?? []
    let object = (try? Value(encoded: content))?.objectValue ?? ValueObject()
    var waits: [JobName: Timestamp] = [:]
    for member in object.members {
      guard let time = member.value.integerValue else { continue }
      waits[JobName(member.key)] = Timestamp(milliseconds: time)
    }
    return waits
  }
}
