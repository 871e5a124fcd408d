/// An authority that signs certificates of test servers. The initialiser creates the authority with
/// openssl.
package struct TestAuthority: Sendable {
  private let folder: String
  private let name: String
  /// The path of the authority's own certificate, for clients that trust the authority.
  package var caFile: String { path(name + ".pem") }

  package init(in folder: String, named name: String) throws {
    self.folder = folder
    self.name = name
    try Self.openssl(
      ["req", "-x509"] + Self.key + ["-subj", "/CN=Test authority \(name)", "-days", "2"]
        + ["-keyout", path(name + ".key"), "-out", caFile])
  }

  /// Creates a certificate `file.pem` with its key `file.key`, for names such as
  /// `DNS:localhost,IP:127.0.0.1`. `usage` is the only allowed use of the key, such as
  /// `clientAuth`.
  package func sign(_ file: String, for names: String, usage: String? = nil) throws {
    let limit = usage.map { "extendedKeyUsage=\($0)\n" } ?? ""
    try TemporaryFolder.write(
      "subjectAltName=\(names)\nbasicConstraints=CA:FALSE\n\(limit)", to: path(file + ".cnf"))
    try Self.openssl(
      ["req"] + Self.key + ["-subj", "/CN=\(file)"]
        + ["-keyout", path(file + ".key"), "-out", path(file + ".csr")])
    try Self.openssl([
      "x509", "-req", "-in", path(file + ".csr"), "-CA", caFile, "-CAkey", path(name + ".key"),
      "-set_serial", "1", "-days", "2", "-extfile", path(file + ".cnf"),
      "-out", path(file + ".pem"),
    ])
  }

  /// Creates a self-signed certificate.
  package static func signItself(_ file: String, for names: String, in folder: String) throws {
    try openssl(
      ["req", "-x509"] + key + ["-subj", "/CN=\(file)", "-days", "2"]
        + ["-addext", "subjectAltName=\(names)"]
        + ["-keyout", "\(folder)/\(file).key", "-out", "\(folder)/\(file).pem"])
  }

  private static let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

  private func path(_ file: String) -> String { "\(folder)/\(file)" }

  private static func openssl(_ arguments: [String]) throws {
    try ChildProcess.run(["/usr/bin/openssl"] + arguments)
  }
}
