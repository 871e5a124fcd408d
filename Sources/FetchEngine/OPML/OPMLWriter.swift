package import FetchConfig
import FetchModel

/// Jobs as a subscription list (OPML 2.0).
package enum OPMLWriter {
  /// Of the jobs that have a `url` option.
  package static func text(_ jobs: [JobConfig]) -> String {
    let outlines = jobs.compactMap { job in
      job.options["url"]?.stringValue.map {
        "    <outline type=\"rss\" text=\"\(escaped(job.name))\" xmlUrl=\"\(escaped($0))\"/>\n"
      }
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0">
        <head><title>fetchrun</title></head>
        <body>
      \(outlines.joined())  </body>
      </opml>
      """
  }

  /// Characters that XML 1.0 does not have are left away.
  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;".unicodeScalars
      case "<": escaped += "&lt;".unicodeScalars
      case "\"": escaped += "&quot;".unicodeScalars
      case "\t", "\n", "\r": escaped += "&#\(scalar.value);".unicodeScalars
      default: if isAllowed(scalar) { escaped.append(scalar) }
      }
    }
    return String(escaped)
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
  }
}
