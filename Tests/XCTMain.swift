import Testing

/// The start of the test program. Without this file, the package manager would search an index of
/// all sources for tests of XCTest, which there are none of, and making the index costs a twentieth
/// of the build.
@main struct TestProgram {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
