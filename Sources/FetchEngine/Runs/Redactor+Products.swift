import FetchHost
import FetchModel

extension Redactor {
  /// Returns the products of a run with the secrets redacted in the items, the state and the note.
  func redacted(_ products: WorkerProducts) -> WorkerProducts {
    guard !isEmpty else { return products }
    var products = products
    products.items = products.items.map(redacted)
    products.state = products.state.map(redacted)
    products.note = products.note.map(redacted)
    return products
  }
}
