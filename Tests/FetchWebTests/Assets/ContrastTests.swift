import Foundation
import Testing

@testable import FetchWeb

/// Tests of the colours of the page: WCAG 2.2, 1.4.3 (text) and 1.4.11 (marks and controls).
@Suite struct ContrastTests {
  private static let backgrounds = ["bg", "panel", "soft", "tint"]

  /// Returns the named colours of one theme, as numbers from 0x000000 to 0xFFFFFF.
  private static func colours(isDark: Bool) -> [Substring: UInt32] {
    let sheet = "\(StyleSheet.text)"
    // The style sheet has the colours for light pages, for dark ones, and for paper.
    let roots = sheet.split(separator: ":root{", omittingEmptySubsequences: false)
    guard roots.count > 2 else { return [:] }
    var colours: [Substring: UInt32] = [:]
    let rule = roots[isDark ? 2 : 1].prefix { $0 != "}" }
    for declaration in rule.split(whereSeparator: { ";\n".contains($0) }) {
      let parts = declaration.split(separator: ":")
      guard parts.count == 2, let name = parts.first?.drop(while: { " -".contains($0) }),
        parts[1].hasPrefix("#")
      else { continue }
      var digits = String(parts[1].dropFirst())
      if digits.count == 3 { digits = digits.map { "\($0)\($0)" }.joined() }
      colours[name] = UInt32(digits, radix: 16)
    }
    return colours
  }

  /// The relative luminance of a colour, from 0 to 1 (WCAG 2.2).
  private static func luminance(_ colour: UInt32) -> Double {
    func part(_ shift: UInt32) -> Double {
      let value = Double(colour >> shift & 0xFF) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
  }

  private static func contrast(_ one: UInt32, _ other: UInt32) -> Double {
    let (a, b) = (luminance(one), luminance(other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  @Test(
    arguments: [
      (["ink", "quiet", "accent", "news", "bad", "warn"], 4.5), (["idle", "plan", "field"], 3.0),
    ], [false, true])
  func `each colour can be read on each background`(
    _ colours: ([String], Double), isDark: Bool
  ) throws {
    let all = Self.colours(isDark: isDark)
    for name in colours.0 {
      let colour = try #require(all[name[...]], "\(name)")
      for background in Self.backgrounds {
        let contrast = Self.contrast(colour, try #require(all[background[...]], "\(background)"))
        #expect(contrast >= colours.1, "\(name) on \(background): \(contrast) to 1")
      }
    }
  }
}
