// MARK: - Start and end tags

extension XMLRepair {
  mutating func startTag(_ name: Range<Int>) {
    let kind = kinds.element(input, name)
    guard hasRoot(before: name, kind) else {
      index = name.upperBound
      return skipAttributes()
    }
    makeRoom(for: kind)
    if isAfterEnd {
      index = name.upperBound
      return skipAttributes()
    }
    let start = output.count
    append("<")
    output.append(contentsOf: input[name])
    index = name.upperBound
    let isClosed = attributes() && !mustStayOpen(kind)
    guard open.count < XMLLimits.depthMax else {
      output.removeSubrange(start...)
      return
    }
    append(isClosed ? "/>" : ">")
    if kind == .title, levels.last == open.count - 1 { hasTitle = true }
    guard !isClosed else { return }
    push(Element(name: name, hash: hash(name), kind: kind, hasPrefix: hasPrefix(name)))
  }

  private func hasPrefix(_ name: Range<Int>) -> Bool { input[name].contains(UInt8(ascii: ":")) }

  mutating func push(_ element: Element) {
    if FeedShape.isLevel(element.kind) || open.isEmpty { levels.append(open.count) }
    if FeedShape.isItem(element.kind) { hasItem = true }
    open.append(element)
  }

  /// Whether a tag that closes itself is treated as a start tag. This applies to the root. It also
  /// applies to an item if the next item tag is an end tag.
  private mutating func mustStayOpen(_ kind: FeedElement) -> Bool {
    open.isEmpty || FeedShape.isItem(kind) && tags.next(after: index - 1)?.isEnd == true
  }

  mutating func closeLast() {
    guard let element = open.popLast() else { return }
    if levels.last == open.count { levels.removeLast() }
    append("</")
    appendName(element)
    append(">")
  }

  /// Closes the innermost elements until only `depth` elements are open. The end tags of the closed
  /// elements are missing.
  private mutating func close(to depth: Int) {
    while open.count > depth {
      loss.tags = true
      closeLast()
    }
  }

  /// Closes the open element with the given index, and all open elements inside it, after the
  /// element's end tag was read. If the index is nil, the end tag has no open element, and
  /// `loss.tags` becomes true, except after the root's end.
  private mutating func end(_ depth: Int?) {
    guard let depth else { return loss.tags = loss.tags || !isAfterEnd }
    close(to: depth + 1)
    closeLast()
  }

  mutating func endTag() {
    let name = index + 2..<XMLName.end(in: input, from: index + 2)
    index = tagEnd(from: name.upperBound)
    let kind = kinds.element(input, name)
    if FeedShape.isItem(kind) {
      end(levels.last { $0 == levels.last && $0 > 0 && open[$0].kind == kind })
    } else if FeedShape.isLevel(kind) {
      let level = levels.last { open[$0].kind == kind }
      guard level == 0 else { return end(level) }
      close(to: 1)
      isAfterEnd = true
    } else {
      let inner = (levels.last ?? -1) + 1
      let hash = hash(name)
      end(open[inner...].lastIndex { $0.hash == hash && isNamed($0, name) })
    }
  }

  func isNamed(_ element: Element, _ name: Range<Int>) -> Bool {
    element.made == nil && sameName(element.name, name)
  }

  /// Returns a hash of the lower-case name, because comparing long names at every end tag would
  /// take quadratic time.
  private func hash(_ name: Range<Int>) -> UInt64 {
    input[name].reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64(ASCII.lowered($1))) &* 0x100_0000_01B3
    }
  }

  private func sameName(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    left.count == right.count
      && zip(input[left], input[right]).allSatisfy { ASCII.lowered($0) == ASCII.lowered($1) }
  }
}

// MARK: - The shape of a feed

extension XMLRepair {
  /// Closes the elements that cannot contain the new element, and opens an item whose start tag is
  /// missing.
  private mutating func makeRoom(for kind: FeedElement) {
    guard let level = levels.last else { return }
    if FeedShape.isItem(kind) {
      close(to: 1 + (levels.last { FeedShape.isContainer(open[$0].kind) } ?? 0))
      isAfterEnd = false
    } else if kind == .channel {
      close(to: 1 + (levels.last { open[$0].kind == .rss || open[$0].kind == .rdf } ?? 0))
      isAfterEnd = false
    } else if FeedShape.isField(kind), !isAfterEnd {
      let outer = level + 1
      if outer < open.count,
        !FeedShape.mayHold(open[outer].kind, hasPrefix: open[outer].hasPrefix, kind)
      {
        close(to: outer)
      }
      openMissingItem(before: kind)
    }
  }

  /// Opens an item for a field in a container if the next item tag is an end tag. The field is then
  /// part of the item that this tag ends. Before the first item, does nothing for a field that may
  /// describe the container itself.
  private mutating func openMissingItem(before kind: FeedElement) {
    guard let level = levels.last, level == open.count - 1, !FeedShape.isItem(open[level].kind),
      hasItem || FeedShape.onlyItemsHave(kind) || hasTitle && kind == .title,
      open.count < XMLLimits.depthMax, tags.next(after: index)?.isEnd == true
    else { return }
    let isAtom = open[0].kind == .feed
    append(isAtom ? "<entry>" : "<item>")
    push(
      Element(
        name: 0..<0, made: isAtom ? "entry" : "item", kind: isAtom ? .entry : .item,
        hasPrefix: false))
  }
}

// MARK: - The root

extension XMLRepair {
  /// Returns whether a root is open or begins with this tag. Everything before the root's tag is
  /// dropped, such as warnings of a server. If the root's start tag is damaged but its end tag
  /// exists, the missing start tag is added.
  private mutating func hasRoot(before name: Range<Int>, _ kind: FeedElement) -> Bool {
    if !open.isEmpty { return true }
    let place = rootPlace ?? findRoot(from: name.lowerBound - 1, kind)
    rootPlace = place
    if name.lowerBound - 1 < place { return false }
    kinds.rootPrefix = prefix(name)
    places.add(prefix: kinds.rootPrefix)
    tags.places.add(prefix: kinds.rootPrefix)
    if !FeedShape.isRoot(kind), let made = missingRoot() { makeRoot(made) }
    return true
  }

  private func prefix(_ name: Range<Int>) -> [UInt8] {
    guard let colon = input[name].firstIndex(of: UInt8(ascii: ":")) else { return [] }
    return Array(input[name.lowerBound..<colon])
  }

  /// Returns the place of a feed's root before the first item's tag. If there is no such root,
  /// returns the place of the tag at which the search starts.
  private mutating func findRoot(from start: Int, _ kind: FeedElement) -> Int {
    if FeedShape.isRoot(kind) { return start }
    let limit = places.next(.itemTag, from: start)
    var place = start
    while place < limit {
      if input[place] == 0x3C {
        let name = place + 1..<XMLName.end(in: input, from: place + 1)
        if name.count <= 16, FeedShape.isDocumentRoot(kinds.element(input, name)) { return place }
      }
      place += 1
      stepCount += 1
    }
    return start
  }

  /// Returns the root (`rss`, `feed` or `rdf`) whose end tag follows; nil if there is no such end
  /// tag.
  private func missingRoot() -> FeedElement? {
    if hasEnd("</rss") { return .rss }
    if hasEnd("</feed") { return .feed }
    return hasEnd("</rdf:rdf") ? .rdf : nil
  }

  private func hasEnd(_ tag: StaticString) -> Bool {
    var from = index
    while let place = ASCII.find(tag, in: input, from: from, caseless: true) {
      from = place + tag.utf8CodeUnitCount
      if from >= input.count || input[from] == 0x3E || ASCII.isBlank(input[from]) { return true }
    }
    return false
  }

  private mutating func makeRoot(_ kind: FeedElement) {
    let made: StaticString
    switch kind {
    case .rdf:
      made = "rdf:RDF"
      append("<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">")
    case .feed:
      made = "feed"
      append("<feed>")
    default:
      made = "rss"
      append("<rss>")
    }
    push(Element(name: 0..<0, made: made, kind: kind, hasPrefix: false))
  }
}
