/// One feed of a subscription list.
package struct OPMLFeed: Equatable, Sendable {
  /// As the list has it; empty where it has none.
  package var title: String
  package var url: String

  package init(title: String, url: String) {
    self.title = title
    self.url = url
  }
}
