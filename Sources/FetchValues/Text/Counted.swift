/// Returns a count with its noun in the singular or plural: `1 run`, `2 runs`.
package func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
