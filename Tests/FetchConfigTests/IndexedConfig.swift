import FetchConfig
import FetchTestSupport
import FetchValues
import Foundation

/// A config that is large enough for an index, in a folder of its own with its cache. The test that
/// creates it removes it.
struct IndexedConfig {
  let folder: ConfigFolder
  private let environment: [String: String]

  init(_ text: String, environment: [String: String] = [:]) throws {
    folder = try ConfigFolder(["fetchrun.yaml": text])
    self.environment = environment
  }

  func remove() { folder.remove() }

  /// Returns the config with at least the named jobs; the whole config without names.
  func load(
    _ jobs: JobName..., environment: [String: String]? = nil
  ) throws(ConfigProblems) -> Config {
    let locations = Locations(environment: ["XDG_CACHE_HOME": folder.path], executable: "")
    return try ConfigFile.load(
      folder.mainFile, locations: locations, environment: environment ?? self.environment,
      jobs: jobs)
  }

  /// The path of the index; nil if there is none.
  var index: String? {
    let cache = folder.path + "/fetchrun/configs"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
    return names.first.map { cache + "/" + $0 }
  }

  func removeIndex() { if let index { try? FileManager.default.removeItem(atPath: index) } }

  // MARK: Texts

  /// An entry that makes the config large enough.
  static func filler(_ indent: String = "  ") -> String {
    let comment = String(repeating: "x", count: 256 << 10)
    return "\(indent)- name: filler\n\(indent)  plugin: rss\n\(indent)  # \(comment)\n"
  }

  /// A job in two lines, with further lines below.
  static func job(_ name: String, _ lines: String...) -> String {
    (["  - name: \(name)", "    plugin: rss"] + lines.map { "    " + $0 })
      .joined(separator: "\n") + "\n"
  }
}

/// A config with jobs in random forms, which all are valid.
struct RandomConfig {
  static let environment = ["URL": "https://a.test/feed"]

  var text: String
  var names: [JobName] = []
  /// Whether a line of a text has the form of an entry of the list.
  var hasFalseEntry: Bool

  init(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let indent = String(repeating: " ", count: 2 * random.below(3))
    text = Self.heads[random.below(Self.heads.count)] + "jobs:\n"
    for number in 0...random.below(4) {
      // A hook names the first job.
      let name = number > 0 && random.isOnce(in: 3) ? "jöb \(number)" : "job \(number)"
      names.append(JobName(name))
      text += Self.job(name, indent, &random)
    }
    names.append("filler")
    text += IndexedConfig.filler(indent) + Self.tails[random.below(Self.tails.count)]
    hasFalseEntry = indent.isEmpty && text.contains("\n- b\"")
    if random.isOnce(in: 4) { text = text.replacing("\n", with: "\r\n") }
    if random.isOnce(in: 4) { while text.last?.isNewline == true { text.removeLast() } }
  }

  private static let heads = [
    "", "# comment\n\n", "defaults: {interval: 1h}\n", "secrets:\n  shared: {env: SHARED}\n",
    "hooks: [{name: all, file: news.jsonl, jobs: [job 0]}]\n", "---\n",
  ]
  private static let tails = [
    "", "keep: {versions: 3}\n", "# the end\n", "...\n", "  # x\nkeep:\n  versions: 3\n",
  ]

  private static func job(
    _ name: String, _ indent: String, _ random: inout SeededGenerator
  ) -> String {
    let end = ["", "\(indent)# a comment\n", "\n", "     \n"][random.below(4)]
    let wide = indent + "    "
    switch random.below(4) {
    case 0:
      let margin = indent + "  "
      return "\(indent)- name: \(name)\n\(margin)plugin: rss\n" + keys(margin, &random) + end
    case 1:
      return "\(indent)-\n\(wide)name: \(name)\n\(wide)plugin: rss\n" + keys(wide, &random) + end
    case 2:
      return "\(indent)-   plugin: rss\n\(wide)name: \(name)\n" + keys(wide, &random) + end
    default:
      return "\(indent)- {name: \(name), plugin: rss,\n\(wide)options: {text: \"a\n- b\"}}\n" + end
    }
  }

  private static func keys(_ margin: String, _ random: inout SeededGenerator) -> String {
    let lines = [
      "", "interval: 15m\n", "zone: Europe/Berlin\n", "secrets: {token: {env: TOKEN}}\n",
      "hooks: [{name: own-\(random.next()), file: own.jsonl}]\n",
    ]
    let options = [
      "", "options:\n\(margin)  text: |+\n\(margin)    a\n\n\n", "options: {text: \"a\n- b\"}\n",
      "options: {é: \"ü # no comment\"} # a comment\n", "options: {url: \"${URL}\"}\n",
      "options:\n\(margin)  text: >-\n\(margin)    - a\n\(margin)    - b\n",
    ]
    return [lines, options].map { $0[random.below($0.count)] }
      .map { $0.isEmpty ? "" : margin + $0 }.joined()
  }
}
