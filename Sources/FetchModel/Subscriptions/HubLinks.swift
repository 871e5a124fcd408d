import FetchValues

/// The hub of a source and the source's own address, as an answer names them (WebSub, section 4). A
/// source is a feed or a web page.
package struct HubLinks: Equatable, Sendable {
  package var hub: String?
  /// The source's own address (`rel="self"`), which is the topic of a subscription.
  package var own: String?

  package init(hub: String? = nil, own: String? = nil) {
    self.hub = hub
    self.own = own
  }

  /// A copy without the addresses that are longer than `Subscription.addressBytesMax` bytes.
  package var bounded: HubLinks {
    func bounded(_ address: String?) -> String? {
      address.flatMap { $0.utf8.count <= Subscription.addressBytesMax ? $0 : nil }
    }
    return HubLinks(hub: bounded(hub), own: bounded(own))
  }

  package var isEmpty: Bool { hub == nil && own == nil }

  /// The maximum total length of the `Link` fields that are read, in bytes. A server may send any
  /// number of fields.
  package static let fieldBytesMax = 16 << 10

  /// Reads the hub and the source's own address from the values of the header field `Link` (RFC
  /// 8288). If several links have the same relation, the first valid address counts.
  ///
  /// - Parameter base: the address of the answer, against which relative addresses are resolved.
  package init(fields: [String], base: String) {
    if fields.isEmpty { return }
    let resolver = URLResolver(base: base)
    var left = Self.fieldBytesMax
    for field in fields {
      left -= field.utf8.count
      if left < 0 { return }
      var reader = LinkReader(Array(field.utf8))
      while let link = reader.next() {
        let address = resolver.resolve(link.target)
        for relation in link.relations {
          switch relation {
          case "hub": hub = hub ?? address
          case "self": own = own ?? address
          default: break
          }
        }
      }
    }
  }

  /// Returns the hub and the topic of a source; nil if there is no usable address for one of the
  /// two.
  ///
  /// The links in the header take precedence over the links in the document. The topic is the
  /// source's own address. If no link gives a usable own address, the topic is `address`.
  ///
  /// - Parameters:
  ///   - document: the links in the feed or page itself.
  ///   - address: the requested address, after permanent redirects.
  package func topic(
    orIn document: HubLinks, at address: String
  ) -> (hub: String, topic: String)? {
    guard let hub = Self.usable(hub) ?? Self.usable(document.hub),
      let topic = Self.usable(own) ?? Self.usable(document.own) ?? Self.usable(address)
    else { return nil }
    return (hub, topic)
  }

  /// Returns the address if it is short enough and a request over HTTP can be sent to it; otherwise
  /// nil.
  private static func usable(_ address: String?) -> String? {
    guard let address, address.utf8.count <= Subscription.addressBytesMax,
      let target = try? TargetURL(address), target.scheme != .file
    else { return nil }
    return address
  }
}

/// The reader of the links in one value of the header field `Link`.
private struct LinkReader {
  struct Link {
    var target: String
    var relations: [String] = []
  }

  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Link? {
    while let byte = peek, byte != UInt8(ascii: "<") { place += 1 }
    guard peek != nil else { return nil }
    place += 1
    let start = place
    while let byte = peek, byte != UInt8(ascii: ">") { place += 1 }
    guard peek != nil else { return nil }
    var link = Link(target: String(decoding: bytes[start..<place], as: UTF8.self))
    place += 1
    while let parameter = parameter() {
      if parameter.name == "rel", link.relations.isEmpty {
        link.relations = parameter.value.split(separator: " ").map { $0.asciiLowercased }
      }
    }
    return link
  }

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 32 || byte == 9 { place += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    place += 1
    return true
  }

  /// Reads `; name=value`; nil at the end of the link.
  private mutating func parameter() -> (name: String, value: String)? {
    skipSpace()
    guard take(UInt8(ascii: ";")) else { return nil }
    skipSpace()
    let name = word()
    skipSpace()
    guard take(UInt8(ascii: "=")) else { return (name.asciiLowercased, "") }
    skipSpace()
    return (name.asciiLowercased, take(UInt8(ascii: "\"")) ? quoted() : word())
  }

  private mutating func word() -> String {
    let start = place
    while let byte = peek, !";,= \t".utf8.contains(byte) { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func quoted() -> String {
    var text: [UInt8] = []
    while let byte = peek {
      place += 1
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\"), let escaped = peek {
        place += 1
        text.append(escaped)
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
