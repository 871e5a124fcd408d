import FetchHost
import FetchModel

extension Redactor {
  /// What a run gave, as it is compared and stored.
  func redacted(_ products: WorkerProducts) -> WorkerProducts {
    guard !isEmpty else { return products }
    var products = products
    products.items = products.items.map(redacted)
    products.state = products.state.map(redacted)
    products.note = products.note.map(redacted)
    return products
  }
}
