/// One number for each shape of `WeekShapes`.
package struct ShapeVector: Equatable, Sendable {
  private var values = SIMD8<Double>(repeating: 0)

  init() {}
  init(_ values: [Double]) {
    for (index, value) in values.prefix(WeekShapes.count).enumerated() { self[index] = value }
  }

  subscript(index: Int) -> Double {
    get { values[index] }
    set { values[index] = newValue }
  }

  var numbers: [Double] { (0..<WeekShapes.count).map { self[$0] } }

  func dot(_ other: ShapeVector) -> Double { (values * other.values).sum() }
}
