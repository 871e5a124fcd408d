package import FetchValues

/// An item as a plugin gave it, checked for shape but not yet identified or compared.
///
/// The named fields are those every consumer knows; `fields` has all further ones. Dates are kept
/// as the plugin gave them and also read as instants where they are RFC 3339.
package struct ParsedItem: Equatable, Sendable {
  /// The item's id as the source or plugin gave it, if any.
  package var id: String?
  package var title: String?
  package var url: String?
  package var published: String?
  package var updated: String?
  package var author: String?
  package var summary: String?
  package var content: String?
  package var tags: [String] = []
  /// `enclosures` and every further JSON-able field, in the plugin's order.
  package var fields = ValueObject()

  package init() {}
}

extension ParsedItem {
  /// Nothing is said by any field: all are missing, null or empty.
  package var isEmpty: Bool {
    let texts = [title, url, id, content, summary, published, updated, author]
    return texts.allSatisfy { $0?.isEmpty ?? true } && tags.isEmpty
      && fields.members.allSatisfy(\.value.isNothing)
  }
}
