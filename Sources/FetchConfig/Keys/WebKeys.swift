import FetchModel
import FetchValues

/// The keys of `web`.
enum WebKeys {
  private typealias Key = ConfigKey<WebSettings>

  static let all = ConfigKeys<WebSettings>(
    prefix: "web.",
    [
      Key(
        "listen", .listen, "addresses in addition to the unix socket, which is always open",
        default: "`127.0.0.1:7397` and `[::1]:7397`"
      ) { $0.listen = $1 },
      Key(
        "url", .webAddress,
        "the public address of the web process: absolute links begin with it, and the header"
          + " `Host` of a request may have its hostname"
      ) { $0.url = $1 },
      Key("hosts", .hostnames, "further hostnames that the header `Host` of a request may have") {
        $0.hosts = $1
      },
      Key(
        "proxy", as: .section("webproxy"), "reverse proxies that log users in"
      ) { reader, value, settings in
        reader.section(value.node, "web.proxy", WebProxyKeys.all, into: &settings)
      },
      Key(
        "anonymous", .openParts, "parts of the server that need no token", default: "`health`"
      ) { $0.anonymous = Set($1) },
      Key(
        "metrics", as: .section("webmetrics"), "which jobs have time series of their own"
      ) { reader, value, settings in
        reader.section(value.node, "web.metrics", WebMetricsKeys.all, into: &settings)
      },
      Key(
        "idle_exit", .duration(.seconds(10)...(.seconds(86_400))),
        "the process ends after this time without a connection, if a systemd socket started it",
        default: "never"
      ) { $0.idleExitTimeout = $1 },
    ])
}

/// The keys of `web.proxy`.
enum WebProxyKeys {
  private typealias Key = ConfigKey<WebSettings>

  static let all = ConfigKeys<WebSettings>(
    prefix: "web.proxy.",
    [
      Key("from", .addressBlocks, "addresses of the proxies", isRequired: true) {
        $0.proxyFrom = $1
      },
      Key(
        "user", .line,
        "header field in which the proxies send the user's name, such as `Remote-User`",
        isRequired: true
      ) { $0.proxyUser = $1 },
    ])
}

/// The keys of `web.metrics`.
enum WebMetricsKeys {
  private typealias Key = ConfigKey<WebSettings>

  static let all = ConfigKeys<WebSettings>(
    prefix: "web.metrics.",
    [
      Key(
        "jobs", .metricsJobs,
        "which jobs have time series of their own: the first jobs by name, at most this number, or "
          + "the listed jobs",
        default: "\(WebSettings.metricsJobsUsual)"
      ) { $0.metricsJobs = $1 }
    ])
}

extension ConfigForm where Value == [ListenAddress] {
  static var listen: Self {
    Self(kind: .names) { $0.parsed($1, $2, by: ListenAddress.init(parsing:)) }
  }
}

extension ConfigForm where Value == [AddressBlock] {
  static var addressBlocks: Self {
    Self(kind: .names) { $0.parsed($1, $2, by: AddressBlock.init(parsing:)) }
  }
}

extension ConfigForm where Value == [WebSettings.Open] {
  static var openParts: Self {
    Self(kind: .choices(WebSettings.Open.allCases.map(\.rawValue))) {
      $0.parsed($1, $2, by: Self.part)
    }
  }

  private static func part(_ text: String) throws(WordError) -> WebSettings.Open {
    if let part = WebSettings.Open(rawValue: text) { return part }
    throw WordError(text: text, words: WebSettings.Open.allCases.map(\.rawValue))
  }
}

/// The error for a text that is not one of the allowed words.
struct WordError: Error, CustomStringConvertible {
  var text: String
  var words: [String]

  var description: String {
    "'\(text.prefix(60))' is unknown: use \(words.joined(separator: ", "))"
      + NearestName.hint(text, among: words)
  }
}

extension ConfigForm where Value == [String] {
  /// A hostname without a scheme, a port or a wildcard, or a list of such hostnames.
  static var hostnames: Self {
    Self(kind: .names) { reader, node, name in
      reader.texts(node, name).compactMap { text, node in
        guard let pattern = HostPattern(text), pattern.isHostnameAlone, !text.hasPrefix("*") else {
          reader.note(
            node, "\(name): '\(text.prefix(60))' is not a hostname: use a name such as fetch.lan")
          return nil
        }
        return text
      }
    }
  }
}

extension ConfigForm where Value == String {
  /// An address that begins with `https://` or `http://` and has no path. A slash at its end is
  /// removed.
  static var webAddress: Self {
    Self(kind: .text) { reader, node, name in
      guard let text = reader.line(node, name) else { return nil }
      let schemes = ["https://", "http://"]
      guard let scheme = schemes.first(where: text.hasPrefix),
        let host = Optional(text.dropFirst(scheme.count)), !host.isEmpty,
        !host.utf8.dropLast().contains(UInt8(ascii: "/")), !host.utf8.contains(UInt8(ascii: "?")),
        !host.utf8.contains(UInt8(ascii: "@"))
      else {
        reader.note(
          node,
          "invalid \(name) '\(text.prefix(60))': use an address without a path, such as"
            + " https://fetch.example.org")
        return nil
      }
      return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
  }
}

extension ConfigForm where Value == WebSettings.MetricsJobs {
  static var metricsJobs: Self {
    Self(kind: .metricsJobs) { reader, node, name in
      if case .sequence = node { return .named(reader.texts(node, name).map(\.text)) }
      if case .scalar = node, reader.value(node).boolValue == false { return .first(0) }
      return reader.count(node, name, 0...WebSettings.metricsJobsMax).map { .first($0) }
    }
  }
}
