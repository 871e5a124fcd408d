/// The choice of the maximum number of rows on a page of a list. Pages with more than 500 rows are
/// not offered, because they are slow on a phone.
package struct PageSizes: Sendable {
  static let counts = [50, 100, 200, 500]

  /// The maximum number of rows on the page.
  package var current: Int
  /// The address of the list's first page, without the parameter `rows`.
  package var base: LocalAddress

  package init(current: Int, base: LocalAddress) {
    self.current = current
    self.base = base
  }

  /// The links to the list with each possible number of rows. The link with the current number is
  /// marked.
  var html: HTML {
    let links = Self.counts.map { count -> HTML in
      count == current
        ? "<a href=\"\(address(count))\" aria-current=\"true\">\(count)</a>"
        : "<a href=\"\(address(count))\">\(count)</a>"
    }
    return """
      <nav class="sizes" aria-label="Rows per page">rows \(each: links, { $0 })</nav>
      """
  }

  private func address(_ count: Int) -> LocalAddress { base.adding("rows", "\(count)") }
}
