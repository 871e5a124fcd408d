import FetchHost
import Testing

/// Tests of the message to the user if a library of the worker is missing.
@Suite struct LoaderReportTests {
  private static func missing(_ library: String) -> String {
    "/usr/libexec/fetchrun/fetchrun-worker: error while loading shared libraries: \(library):"
      + " cannot open shared object file: No such file or directory\n"
  }

  @Test(arguments: [
    ("liblua5.4.so.0", "liblua5.4.so.0 is missing: apt-get install liblua5.4-0"),
    ("libxml2.so.2", "libxml2.so.2 is missing: apt-get install libxml2"),
    ("libicuuc.so.72", "libicuuc.so.72 is missing: apt-get install libicu72"),
    ("libicudata.so.x", "libicudata.so.x is missing: install its package"),
    ("libother.so.1", "libother.so.1 is missing: install its package"),
  ])
  func `a missing library is named with its package`(library: String, words: String) {
    #expect(LoaderReport.words(for: Self.missing(library)) == words)
  }

  @Test func `other messages of the loader are reported unchanged`() {
    let text =
      "fetchrun-worker: /lib/libc.so.6: version `GLIBC_2.38' not found (required by fetchrun-worker)"
    #expect(LoaderReport.words(for: text + "\nmore\n") == text)
    #expect(
      LoaderReport.words(
        for: "x: error while loading shared libraries: liba.so: invalid ELF header")
        == "liba.so: invalid ELF header")
    #expect(LoaderReport.words(for: "") == nil)
  }

  @Test func `a worker's message is cut if it is too long`() {
    let text = String(repeating: "x", count: 10_000)
    #expect(LoaderReport.words(for: text)?.count == 300)
    #expect(LoaderReport.words(for: Self.missing(text))?.hasPrefix("xxx") == true)
    #expect((LoaderReport.words(for: Self.missing(text))?.count ?? 0) < 200)
  }
}
