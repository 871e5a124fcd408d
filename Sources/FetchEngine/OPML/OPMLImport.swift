package import FetchConfig
import FetchModel
import FetchValues

/// The jobs that are created from a subscription list.
package struct OPMLImport: Equatable, Sendable {
  package var jobs: [NewJob] = []
  /// The sentences about skipped feeds. Each sentence gives the reason.
  package var skipped: [String] = []
  /// The sentences about feeds that a job already fetches.
  package var duplicates: [String] = []

  /// Creates jobs from the feeds of a list. The name of a job is made from the feed's title, or
  /// from the hostname if the title has no letters or digits. Names are unique among new and known
  /// jobs. A feed gets no job if its address is not an http or https address. A feed also gets no
  /// job if a known or new job already has the address.
  package init(_ feeds: [OPMLFeed], plugin: String, into known: [JobConfig]) {
    var names = Set(known.map(\.name))
    var urls: [ExactText: JobName] = [:]
    for job in known {
      if let url = job.options["url"]?.stringValue { urls[ExactText(url)] = job.name }
    }
    for feed in feeds {
      let url = Self.address(feed.url)
      guard let target = try? TargetURL(url), target.scheme != .file else {
        skipped.append("'\(feed.url)' is not a valid http or https address")
        continue
      }
      if let name = urls[ExactText(url)] {
        duplicates.append("\(url) is already the address of the job '\(name)'")
        continue
      }
      let name = Self.unique(JobName(Self.slug(feed.title) ?? target.hostname), among: names)
      names.insert(name)
      urls[ExactText(url)] = name
      jobs.append(NewJob(name: name, plugin: plugin, options: ValueObject([("url", .string(url))])))
    }
  }

  /// Returns the address without white space around it, if the address contains no other white
  /// space. A leading `feed://` becomes `http://`, and any other leading `feed:` is removed.
  private static func address(_ text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace)
    let url = words.count == 1 ? String(words[0]) : text
    if url.lowercased().hasPrefix("feed://") { return "http://" + url.dropFirst(7) }
    return url.lowercased().hasPrefix("feed:") ? String(url.dropFirst(5)) : url
  }

  private static let nameCharactersMax = 48

  /// Returns a job name made from a title: `the-daily-world` for `The Daily (World)!`. Returns nil
  /// if the title has no letters or digits. A title for which `isSlug` is true stays unchanged.
  private static func slug(_ title: String) -> String? {
    if isSlug(title) { return title }
    let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
    var slug = ""
    for word in words {
      let longer = slug.isEmpty ? String(word) : slug + "-" + word
      if longer.count > nameCharactersMax, !slug.isEmpty { break }
      slug = longer
    }
    slug = String(slug.prefix(nameCharactersMax))
    return slug.isEmpty ? nil : slug
  }

  private static func isSlug(_ title: String) -> Bool {
    guard let first = title.first, title.count <= nameCharactersMax else { return false }
    func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
    return isWord(first)
      && title.allSatisfy { isWord($0) && !$0.isUppercase || "-_.".contains($0) }
  }

  private static func unique(_ name: JobName, among names: Set<JobName>) -> JobName {
    if !names.contains(name) { return name }
    var number = 2
    while names.contains(JobName("\(name)-\(number)")) { number += 1 }
    return JobName("\(name)-\(number)")
  }
}
