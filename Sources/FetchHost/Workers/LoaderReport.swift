import CHost
import FetchValues
import Glibc

/// What the dynamic loader says of a worker that it cannot start.
///
/// Workers have no standard error, so nobody reads there that a library is missing. The program is
/// started once more, with one: the loader ends it before its first instruction.
package enum LoaderReport {
  /// The exit status of a program that the loader cannot start.
  static let exitStatus: Int32 = 127
  private static let bytesMax = 4096
  private static let waitMax: Duration = .seconds(2)

  /// `liblua5.4.so.0 is missing: apt-get install liblua5.4-0`, or the loader's own words; nil where
  /// it says nothing. Blocks until the program ends, at most for 2 seconds.
  static func of(_ executable: String) -> String? {
    // The loader's words are looked for in English.
    let started = HookCommand.withPointers([executable]) { words in
      HookCommand.withPointers(["LC_ALL=C"]) { spawn_hook(words, $0, nil, 0, 0) }
    }
    guard let started = started ?? nil, started.process > 0 else { return nil }
    let text = read(started.output)
    close(started.output)
    kill(-started.process, SIGKILL)
    var status: Int32 = 0
    while waitpid(started.process, &status, 0) < 0, errno == EINTR {}
    return words(for: text)
  }

  private static func read(_ pipe: Int32) -> String {
    let deadline = ContinuousClock.now + waitMax
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1024)
    while bytes.count < bytesMax {
      let left = ContinuousClock.now.duration(to: deadline).wholeMilliseconds
      guard left > 0 else { break }
      var wanted = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      guard poll(&wanted, 1, Int32(clamping: left)) > 0 else { continue }
      let count = Glibc.read(pipe, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Of `PROGRAM: error while loading shared libraries: NAME: cannot open shared object file: No
  /// such file or directory` the library and how to install it, otherwise the first line.
  package static func words(for text: String) -> String? {
    guard let line = text.split(separator: "\n").first else { return nil }
    let marker = "error while loading shared libraries: "
    guard let place = line.firstRange(of: marker) else { return String(line.prefix(300)) }
    let rest = line[place.upperBound...]
    guard rest.contains("No such file"), let colon = rest.firstIndex(of: ":") else {
      return String(rest.prefix(300))
    }
    let library = rest[..<colon].prefix(100)
    guard let package = debianPackage(of: library) else {
      return "\(library) is missing: install the package that has it"
    }
    return "\(library) is missing: apt-get install \(package)"
  }

  /// Of the libraries that the worker is linked with.
  private static func debianPackage(of library: Substring) -> String? {
    switch library {
    case "liblua5.4.so.0": return "liblua5.4-0"
    case "libxml2.so.2": return "libxml2"
    default:
      // libicuuc.so.72, with libicudata.so.72 beside it, is in libicu72.
      guard library.hasPrefix("libicu"), let dot = library.lastIndex(of: ".") else { return nil }
      let number = library[library.index(after: dot)...]
      return !number.isEmpty && number.allSatisfy(\.isWholeNumber) ? "libicu\(number)" : nil
    }
  }
}
