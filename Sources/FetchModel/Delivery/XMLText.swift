import FetchValues

/// Well-formed XML 1.0, written element by element; characters that XML has no place for are left
/// out.
struct XMLText {
  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  mutating func open(_ name: String, _ attributes: KeyValuePairs<String, String> = [:]) {
    text += "<\(name)"
    for (name, value) in attributes { text += " \(name)=\"\(Self.escaped(value))\"" }
    text += ">\n"
  }

  mutating func close(_ name: String) { text += "</\(name)>\n" }

  /// - Parameter content: nil for an empty element.
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
        // XML 1.0, section 2.2.
        if scalar.value >= 0x20, scalar.value != 0xFFFE, scalar.value != 0xFFFF {
          result.append(scalar)
        }
      }
    }
    return String(result)
  }
}
