import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the diff, compared with a much simpler model, a dictionary of titles.
@Suite struct DiffModelTests {
  private struct Source {
    var titles: [Int: Int] = [:]
    var order: [Int] = []
    var generator: SeededGenerator

    mutating func mutate() {
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let id = Int.random(in: 0..<12, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          titles[id] = nil
          order.removeAll { $0 == id }
        case 1: order.shuffle(using: &generator)
        default:
          if titles.updateValue(Int.random(in: 0..<3, using: &generator), forKey: id) == nil {
            order.insert(id, at: 0)
          }
        }
      }
    }

    var items: [ParsedItem] {
      order.map { Items.make(id: "\($0)", title: "title \(titles[$0] ?? 0)") }
    }
  }

  @Test(arguments: 0..<40, [false, true])
  func `any history of a source is reported correctly`(seed: Int, complete: Bool) {
    var source = Source(generator: SeededGenerator(seed: UInt64(seed)))
    var rules = ItemRules()
    rules.complete = complete
    var known = KnownItems()
    var model: [Int: Int] = [:]
    for _ in 0..<60 {
      source.mutate()
      var expected = ChangeCounts()
      for (id, title) in source.titles {
        if let before = model[id] { expected.updated += before == title ? 0 : 1 }
        if model[id] == nil { expected.added += 1 }
        model[id] = title
      }
      if complete {
        expected.removed = model.count - source.titles.count
        model = source.titles
      }
      let changes = Items.decide(source.items, known: known, rules: rules)
      #expect(changes.counts == expected)
      Items.apply(changes, to: &known)

      let again = Items.decide(source.items.shuffled(), known: known, rules: rules)
      #expect(again.changes.isEmpty)
    }
  }
}
