package import FetchValues

/// A feed of items that fetchrun writes for feed readers: RSS 2.0, Atom (RFC 4287) or JSON Feed
/// 1.1.
package struct WrittenFeed: Sendable {
  package var title: String
  /// The feed's own URL.
  package var url: String?
  /// The output lines of the items as JSON objects, newest item first.
  package var items: [ValueObject]
  package var updatedAt: Timestamp

  package init(title: String, url: String?, items: [ValueObject], updatedAt: Timestamp) {
    self.title = title
    self.url = url
    self.items = items
    self.updatedAt = updatedAt
  }

  package func text(as format: FeedFileSettings.Format) -> String {
    switch format {
    case .jsonl: items.map { (try? JSONWriter.text(.object($0))) ?? "{}" }.joined(separator: "\n")
    case .rss: rss
    case .atom: atom
    case .jsonfeed: jsonFeed
    }
  }

  // MARK: Items

  /// Returns a unique IRI for the item, made of the percent-encoded job name and item id.
  private func id(of item: ValueObject) -> String {
    let job = item["job"]?.stringValue ?? ""
    let id = item["id"]?.stringValue ?? ""
    return "urn:fetchrun:\(Self.encoded(job)):\(Self.encoded(id))"
  }

  private static func encoded(_ text: String) -> String {
    let bytes = text.utf8.map { byte -> String in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        String(UnicodeScalar(byte))
      default: "%" + Hexadecimal.text(of: [byte]).uppercased()
      }
    }
    return bytes.joined()
  }

  private func time(of item: ValueObject) -> Timestamp {
    for name in ["publishedAt", "seenAt"] {
      if let time = item[name]?.stringValue.flatMap(Timestamp.init(rfc3339:)) { return time }
    }
    return updatedAt
  }

  private func changedAt(_ item: ValueObject) -> Timestamp {
    let updated = item["fields"]?["updated"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
    return updated ?? time(of: item)
  }

  /// Returns the item's URL for a link; nil unless it is an http or https address.
  private func link(of item: ValueObject) -> String? {
    guard let url = item["url"]?.stringValue, let target = try? TargetURL(url),
      target.scheme != .file
    else { return nil }
    return target.text
  }

  private func content(of item: ValueObject) -> String? {
    let fields = item["fields"]
    return fields?["content"]?.stringValue ?? fields?["summary"]?.stringValue
  }

  // MARK: Formats

  private var rss: String {
    var xml = XMLText()
    xml.open("rss", ["version": "2.0"])
    xml.open("channel")
    xml.element("title", title)
    xml.element("link", url ?? "https://localhost/")
    xml.element("description", title)
    xml.element("lastBuildDate", HTTPDate.text(updatedAt))
    for item in items {
      xml.open("item")
      xml.element("title", DeliveryText.title(of: item))
      if let link = link(of: item) { xml.element("link", link) }
      xml.element("guid", id(of: item), ["isPermaLink": "false"])
      xml.element("pubDate", HTTPDate.text(time(of: item)))
      if let content = content(of: item) { xml.element("description", content) }
      xml.close("item")
    }
    xml.close("channel")
    xml.close("rss")
    return xml.text
  }

  private var atom: String {
    var xml = XMLText()
    xml.open("feed", ["xmlns": "http://www.w3.org/2005/Atom"])
    xml.element("title", title)
    xml.element("id", "urn:fetchrun:feed:\(Self.encoded(title))")
    xml.element("updated", updatedAt.description)
    if let url { xml.element("link", nil, ["rel": "self", "href": url]) }
    xml.open("author")
    xml.element("name", "fetchrun")
    xml.close("author")
    for item in items {
      xml.open("entry")
      xml.element("title", DeliveryText.title(of: item))
      xml.element("id", id(of: item))
      xml.element("updated", changedAt(item).description)
      xml.element("published", time(of: item).description)
      if let link = link(of: item) { xml.element("link", nil, ["href": link]) }
      // RFC 4287, section 4.1.2: an entry without a link needs content.
      if let content = content(of: item) ?? (link(of: item) == nil ? "" : nil) {
        xml.element("content", content, ["type": "html"])
      }
      xml.close("entry")
    }
    xml.close("feed")
    return xml.text
  }

  private var jsonFeed: String {
    var line = JSONLine()
    line.member("version", "https://jsonfeed.org/version/1.1")
    line.member("title", title)
    if let url { line.member("feed_url", url) }
    let written = items.map { item in
      var line = JSONLine()
      line.member("id", id(of: item))
      if let link = link(of: item) { line.member("url", link) }
      line.member("title", DeliveryText.title(of: item))
      line.member("content_html", content(of: item) ?? "")
      line.member("date_published", time(of: item).description)
      return line.closed()
    }
    line.member("items", literal: "[" + written.joined(separator: ",") + "]")
    return line.closed() + "\n"
  }
}

/// A writer of well-formed XML 1.0, element by element. It drops characters that XML does not
/// allow.
struct XMLText {
  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  mutating func open(_ name: String, _ attributes: KeyValuePairs<String, String> = [:]) {
    text += "<\(name)"
    for (name, value) in attributes { text += " \(name)=\"\(Self.escaped(value))\"" }
    text += ">\n"
  }

  mutating func close(_ name: String) { text += "</\(name)>\n" }

  /// - Parameter content: the text of the element; nil for an empty element.
  mutating func element(
    _ name: String, _ content: String?, _ attributes: KeyValuePairs<String, String> = [:]
  ) {
    text += "<\(name)"
    for (name, value) in attributes { text += " \(name)=\"\(Self.escaped(value))\"" }
    if let content {
      text += ">\(Self.escaped(content))</\(name)>\n"
    } else {
      text += "/>\n"
    }
  }

  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
      case "\t", "\n": result.append(scalar)
      default:
        // XML 1.0, section 2.2, allows only these characters.
        if scalar.value >= 0x20, scalar.value != 0xFFFE, scalar.value != 0xFFFF {
          result.append(scalar)
        }
      }
    }
    return String(result)
  }
}
