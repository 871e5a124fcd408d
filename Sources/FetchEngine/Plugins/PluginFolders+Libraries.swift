import FetchModel
import FetchValues

/// The files that a plugin requires. The search for a name begins in the folder of the file that
/// requires the name, and continues in the plugin folders.
extension PluginFolders {
  /// A possible file of a library that a plugin or another library requires by name.
  private struct Library {
    /// The name in messages, such as `lib/dates.lua`.
    var fileName: String
    /// The folder that is searched first for the names that this file requires. The path of the
    /// folder does not include `lib`, which is part of `fileName`.
    var folder: String
    var path: String { folder + "/" + fileName }
  }

  /// A required name, with the folder of the plugin or library that requires the name.
  private struct Wanted {
    var name: String
    var folder: String
  }

  /// Returns the existing files that a plugin's text requires, directly or indirectly, sorted by
  /// name. Skips files that have the plugin's own name.
  ///
  /// Within a plugin, each name must mean one file, because workers find libraries by name. Throws
  /// a failure if a name means two files, if there are more than `librariesMax` files, or if `read`
  /// refuses a file.
  func libraries(
    requiredBy text: [UInt8], named stem: String, path: String, folder: String
  ) throws(Failure) -> [PluginSource.Library] {
    var libraries: [PluginSource.Library] = []
    var paths: [String: String] = [:]
    var wanted = Self.wanted(by: text, in: folder)
    while let next = wanted.popLast() {
      guard next.name != stem, let library = library(next) else { continue }
      if let known = paths[next.name] {
        guard FileBytes.absolute(known) == FileBytes.absolute(library.path) else {
          throw Failure(
            .invalidPlugin,
            "\(path) needs two files named '\(next.name)', \(known) and \(library.path): "
              + "rename one",
            file: path)
        }
        continue
      }
      guard libraries.count < Self.librariesMax else {
        throw Failure(
          .invalidPlugin, "\(path) requires more than \(Self.librariesMax) files", file: path)
      }
      let text = try read(library.path)
      paths[next.name] = library.path
      libraries.append(
        PluginSource.Library(name: next.name, fileName: library.fileName, text: text))
      wanted += Self.wanted(by: text, in: library.folder)
    }
    return libraries.sorted { ExactText($0.name) < ExactText($1.name) }
  }

  /// Returns the possible paths of a plugin's file and of the files that it requires, including
  /// paths of missing files.
  package func places(of name: String) -> [String] { places(of: name, in: "") }

  /// Returns the possible paths of a hook file and of the files that it requires, including paths
  /// of missing files.
  package func places(ofHook name: String) -> [String] { places(of: name, in: "hooks/") }

  private func places(of name: String, in subfolder: String) -> [String] {
    let beside = name.hasSuffix(".lua") ? configFolder.map { [$0 + name] } ?? [] : []
    let places = path(name).map { [$0] } ?? beside + candidates(name, subfolder)
    guard let file = places.first(where: FileBytes.exists) else { return places }
    let folder = file.lastSlash.map { String(file[..<$0]) } ?? "."
    var (found, seen) = (places, Set<String>())
    var unread = [(path: file, folder: folder)]
    while let next = unread.popLast() {
      guard case .success(let text) = FileBytes.read(next.path, max: RunLimits.sourceBytesMax)
      else { continue }
      for wanted in Self.wanted(by: text, in: next.folder) where seen.count < Self.librariesMax {
        guard seen.insert(wanted.name).inserted else { continue }
        found += candidates(wanted).map(\.path)
        if let library = library(wanted) { unread.append((library.path, library.folder)) }
      }
    }
    return found
  }

  /// Returns the message. If it is about a missing module and a module with a similar name exists,
  /// the returned message suggests that module.
  func hinting(_ message: String, beside path: String) -> String {
    let start = "there is no module '"
    guard message.hasPrefix(start), let end = message.firstRange(of: "'; the modules are ") else {
      return message
    }
    let name = String(message[..<end.lowerBound].dropFirst(start.count))
    let own = path.lastSlash.map { String(path[..<$0]) } ?? "."
    let files = ([own, own + "/lib"] + folders).flatMap(FileBytes.names)
      .filter { $0.hasSuffix(".lua") }.map { String($0.dropLast(4)) }
    // A file with the missing name may have been created since the plugin was read.
    let others = (PluginInterface.moduleNames + files).filter { $0 != name }
    let hint = NearestName.hint(name, among: others)
    return "\(start)\(name)'\(hint)\(message[end.lowerBound...].dropFirst())"
  }

  private static func wanted(by text: [UInt8], in folder: String) -> [Wanted] {
    RequiredNames.of(text).map { Wanted(name: $0, folder: folder) }
  }

  private func library(_ wanted: Wanted) -> Library? {
    candidates(wanted).first { FileBytes.exists($0.path) }
  }

  /// Returns the possible files of a required name, in the order in which they are tried. The
  /// plugin folders are not searched for the name of one of the host's modules.
  private func candidates(_ wanted: Wanted) -> [Library] {
    let fileName = wanted.name + ".lua"
    let own = ["lib/" + fileName, fileName].map { Library(fileName: $0, folder: wanted.folder) }
    if PluginInterface.moduleNames.contains(wanted.name) { return own }
    return own + folders.map { Library(fileName: fileName, folder: $0) }
  }
}

/// The names that a Lua text requires, with `require "rss"` or `require('rss')`. `require [[rss]]`
/// is not recognised. The text is searched, but not run, so a name in a comment also counts.
package enum RequiredNames {
  package static func of(_ source: [UInt8]) -> [String] {
    let word = Array("require".utf8)
    var names: [String] = []
    var index = 0
    while index + word.count < source.count {
      guard source[index] == word[0], source[index..<index + word.count].elementsEqual(word) else {
        index += 1
        continue
      }
      index += word.count
      if let name = quoted(in: source, at: index), !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Returns the quoted name at an index, after spaces and opening parentheses. A name has at most
  /// 63 ASCII letters, digits, underscores, hyphens and dots, and does not begin with a dot. Such a
  /// name cannot lead out of a folder. Returns nil if there is no such name.
  private static func quoted(in source: [UInt8], at start: Int) -> String? {
    var index = start
    while index < source.count, source[index] == 0x20 || source[index] == UInt8(ascii: "(") {
      index += 1
    }
    guard index < source.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(source[index])
    else { return nil }
    let quote = source[index]
    let rest = source[(index + 1)...].prefix(64)
    guard let end = rest.firstIndex(of: quote), end > index + 1 else { return nil }
    let name = rest[..<end]
    guard name.allSatisfy(isNameByte), name.first != UInt8(ascii: ".") else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
