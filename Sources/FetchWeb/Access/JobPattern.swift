/// A pattern for names of jobs. `*` matches any text, and every other character matches only
/// itself.
package struct JobPattern: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  /// Whether the pattern matches the whole name, byte by byte. The running time is at most
  /// proportional to the product of both lengths.
  package func matches(_ name: String) -> Bool {
    let pattern = Array(text.utf8)
    let name = Array(name.utf8)
    var place = 0
    var position = 0
    var star: (pattern: Int, name: Int)?
    while position < name.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place, position)
        place += 1
      } else if place < pattern.count, pattern[place] == name[position] {
        place += 1
        position += 1
      } else if let last = star {
        star = (last.pattern, last.name + 1)
        place = last.pattern + 1
        position = last.name + 1
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
