package import FetchValues

/// The handler of requests to a command that only waits for its transfers. With this handler, other
/// processes can cancel and retry these transfers before the command releases the store.
package struct TransferHandler: ControlHandler {
  private let transfers: TransferCommands

  package init(_ transfers: TransferCommands) { self.transfers = transfers }

  package func answer(
    _ request: ControlRequest, line: @escaping @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    guard case .transfers(let deed, let ids) = request else {
      return .failed("the process that has this store open accepts only changes to transfers")
    }
    return await transfers.answer(deed, ids, line: line)
  }
}
