package import FetchConfig
import FetchModel
import FetchValues

/// Jobs as a subscription list (OPML 2.0).
package enum OPMLWriter {
  /// Jobs that have a `url` option: those of the plugin, and those of others, whose addresses need
  /// not be feeds. A plugin is known by the name of its file.
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

  /// `rss`, of `plugins/rss.lua` too.
  package static func name(ofPlugin plugin: String) -> String {
    let file = plugin.lastName
    return file.hasSuffix(".lua") ? String(file.dropLast(4)) : file
  }

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
