package import FetchModel
package import FetchStore
package import FetchValues

/// Who does what people ask of transfers: the service that carries them out, or whoever writes it
/// down for the next one.
package protocol TransferControl: Sendable {
  /// Ends a pending transfer; nil when there is none of that id.
  func cancel(_ id: Int64) async throws(StoreError) -> TransferRecord?
  /// Lets a transfer that waits or has failed begin; nil when there is none of that id.
  func retry(_ id: Int64) async throws(StoreError) -> TransferRecord?
  /// Jobs were paused or resumed.
  func standingsChanged()
}

extension TransferControl {
  /// Answers a request about transfers, one after the other; what cannot be done for one is said, and
  /// the others are done.
  package func answer(
    _ deed: ControlRequest.TransferCommand, _ ids: [Int64],
    line: @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    var problems: [String] = []
    for id in ids {
      do throws(StoreError) {
        let record = deed == .cancel ? try await cancel(id) : try await retry(id)
        if let record {
          await line(record.line)
        } else {
          problems.append(Self.missing(deed, id))
        }
      } catch {
        problems.append(error.message)
      }
    }
    return problems.isEmpty ? .done : .failed(problems.joined(separator: "; "))
  }

  private static func missing(_ deed: ControlRequest.TransferCommand, _ id: Int64) -> String {
    switch deed {
    case .cancel: "there is no pending transfer \(id)"
    case .retry: "there is no transfer \(id) that waits or has failed"
    }
  }
}

extension TransferService: TransferControl {}
extension StoredTransfers: TransferControl {}
