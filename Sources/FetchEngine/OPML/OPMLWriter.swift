package import FetchConfig
import FetchModel
import FetchValues

/// A writer that turns jobs into a subscription list (OPML 2.0).
package enum OPMLWriter {
  /// Returns two groups of jobs with a `url` option: the jobs of the plugin, and the jobs of other
  /// plugins. The addresses of the second group need not be feeds. A plugin is recognised by the
  /// name of its file.
  package static func feeds(
    among jobs: [JobConfig], of plugin: String
  ) -> (jobs: [JobConfig], others: [JobConfig]) {
    let feeds = jobs.filter { $0.options["url"]?.stringValue != nil }
    let name = ExactText(name(ofPlugin: plugin))
    return (
      feeds.filter { ExactText(Self.name(ofPlugin: $0.plugin)) == name },
      feeds.filter { ExactText(Self.name(ofPlugin: $0.plugin)) != name }
    )
  }

  /// Returns the name of the plugin, such as `rss` for both `rss` and `plugins/rss.lua`.
  package static func name(ofPlugin plugin: String) -> String {
    let file = plugin.lastName
    return file.hasSuffix(".lua") ? String(file.dropLast(4)) : file
  }

  /// Returns an OPML list of the jobs that have a `url` option, as text.
  package static func text(_ jobs: [JobConfig]) -> String {
    let outlines = jobs.compactMap { job in
      job.options["url"]?.stringValue.map {
        "    <outline type=\"rss\" text=\"\(escaped(job.name.text))\" xmlUrl=\"\(escaped($0))\"/>\n"
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

  /// Returns the string, escaped for XML. Characters that XML 1.0 does not allow are removed.
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
