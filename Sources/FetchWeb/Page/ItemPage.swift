package import FetchModel
import FetchValues

/// The page of one item, with its title, its fields, its versions, and the changes of the shown
/// version.
package struct ItemPage: Sendable {
  /// The newest `PageMark.countMax` versions of the item, newest first. If the shown version is not
  /// one of them, the list has only the shown version.
  package var versions: [StoredItem]
  /// The index of the shown version.
  package var index: Int
  /// The lines of the difference between the shown version and the version before it; nil if
  /// `versions` has no earlier version.
  package var difference: String?

  package init(versions: [StoredItem], index: Int, difference: String?) {
    self.versions = versions
    self.index = index
    self.difference = difference
  }

  /// The maximum number of characters that the page shows of one field.
  private static let textCharactersMax = 2_000

  /// Returns the page as HTML.
  package func html(_ frame: PageFrame) -> HTML {
    guard versions.indices.contains(index) else {
      return ErrorPage(status: 404, sentence: "There is no such item.").html(frame)
    }
    let item = versions[index]
    let title = item.shownTitle.firstCharacters(300)
    let content: HTML = """
      <article class="item"><div class="heading"><h1>\(title)</h1>\
      <p class="facts">\(frame.jobLink(item.job)) · \(frame.time(item.seenAt)) · \
      <span class="change \(item.change.word)">\(item.change.word)</span>\(original(item))</p></div>
      \(steps)
      \(changes)
      \(fields(item))
      \(versionList(frame))
      </article>
      """
    return frame.page(title: title, section: .items, content)
  }

  private func original(_ item: StoredItem) -> HTML {
    item.url.map { " · <span class=\"original\">\(link: $0, $0.firstCharacters(120))</span>" } ?? ""
  }

  // MARK: Versions

  /// The links to the previous and the next version; empty if the page lists only one version.
  private var steps: HTML {
    if versions.count < 2 { return "" }
    let older = versions.indices.contains(index + 1) ? versions[index + 1] : nil
    let newer = index > 0 ? versions[index - 1] : nil
    return """
      <nav class="versions" aria-label="Versions">\(step("‹ older", older, "prev"))\
      <span>version \(versions.count - index) of \(versions.count)</span>\
      \(step("newer ›", newer, "next"))</nav>
      """
  }

  private func step(_ label: String, _ version: StoredItem?, _ relation: String) -> HTML {
    guard let version else { return "<span class=\"quiet\">\(label)</span>" }
    return """
      <a rel="\(relation)" href="\(LocalAddress("items", "\(version.sequence)"))">\(label)</a>
      """
  }

  private var changes: HTML {
    guard let difference, !difference.isEmpty else { return "" }
    return """
      <section aria-labelledby="changes"><h2 id="changes">What changed</h2>\
      \(DifferenceView.html(difference))</section>
      """
  }

  private func versionList(_ frame: PageFrame) -> HTML {
    if versions.count < 2 { return "" }
    let rows = versions.enumerated().map { place, version -> HTML in
      let mark: HTML = place == index ? " aria-current=\"true\"" : ""
      return """
        <li><a href="\(LocalAddress("items", "\(version.sequence)"))"\(mark)>\
        \(frame.time(version.seenAt))</a> \
        <span class="change \(version.change.word)">\(version.change.word)</span></li>
        """
    }
    return """
      <section aria-labelledby="all"><h2 id="all">All versions</h2>\
      <ol class="plain">\(each: rows, { $0 })</ol></section>
      """
  }

  // MARK: Content

  /// Returns the id, the time of publication if the item has one, and the first 100 fields. Removes
  /// the markup from fields that are strings.
  private func fields(_ item: StoredItem) -> HTML {
    var rows: [(name: String, text: String)] = [("id", item.key.text)]
    if let published = item.published { rows.append(("published", published)) }
    for member in item.fields.members.prefix(100) {
      rows.append((member.key, Self.text(member.value)))
    }
    let shown = rows.map { row -> HTML in
      let text = row.text.firstCharacters(Self.textCharactersMax)
      return "<dt>\(row.name)</dt><dd>\(text)</dd>"
    }
    return """
      <section aria-labelledby="content"><h2 id="content">Content</h2>\
      <dl class="fields">\(each: shown, { $0 })</dl></section>
      """
  }

  private static func text(_ value: Value) -> String {
    if let text = value.stringValue { return PlainMarkup.text(text) }
    if let texts = value.arrayValue?.map(\.stringValue), texts.allSatisfy({ $0 != nil }) {
      return texts.compactMap(\.self).joined(separator: ", ")
    }
    return value.displayText ?? (try? JSONWriter.text(value)) ?? ""
  }
}
