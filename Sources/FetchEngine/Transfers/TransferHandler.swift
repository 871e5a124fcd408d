package import FetchValues

/// Answers for a command that waits for its transfers, and for nothing else: other processes can
/// cancel and retry them without waiting until it lets go of the store.
package struct TransferHandler: ControlHandler {
  private let transfers: TransferCommands

  package init(_ transfers: TransferCommands) { self.transfers = transfers }

  package func answer(
    _ request: ControlRequest, line: @escaping @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    guard case .transfers(let deed, let ids) = request else {
      return .failed("only transfers can be changed here")
    }
    return await transfers.answer(deed, ids, line: line)
  }
}
