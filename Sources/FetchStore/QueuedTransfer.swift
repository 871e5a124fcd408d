package import FetchModel

/// A transfer to queue, with the id that the plugin received.
package struct QueuedTransfer: Equatable, Sendable {
  package var id: Int64
  package var request: TransferRequest

  package init(id: Int64, request: TransferRequest) {
    self.id = id
    self.request = request
  }
}
