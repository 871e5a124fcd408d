import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

@Suite struct SecretVaultTests {
  let folder: Folder
  private static let now = Timestamp(seconds: 1_795_000_000)

  init() throws { folder = try Folder() }

  private func problem(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "none"
    } catch let problem as SecretProblem {
      return problem.message.replacing(folder.path, with: "FOLDER")
    } catch { return "\(error)" }
  }

  @Test func `values are read back, and neither file shows a value or is readable by others`()
    throws
  {
    let vault = folder.vault()
    #expect(try vault.entries() == [])
    try vault.set(SecretValue("value-b"), named: "b", now: Self.now)
    try vault.set(SecretValue("value-a"), named: "a", now: Self.now)
    #expect(try vault.value(named: "a").text == "value-a")
    #expect(try vault.value(named: "b").text == "value-b")
    #expect(
      try vault.entries() == [
        SecretVault.Entry(name: "a", changedAt: Self.now),
        SecretVault.Entry(name: "b", changedAt: Self.now),
      ])
    for name in ["secrets.json", "secrets.key"] {
      #expect(try folder.mode(name) == 0o600)
      #expect(!(try folder.text(name)).contains("value"))
    }
    #expect(folder.names == ["secrets.json", "secrets.json.lock", "secrets.key"])
  }

  @Test func `a value that is set again replaces the old one, with another nonce`() throws {
    let vault = folder.vault()
    try vault.set(SecretValue("value"), named: "a", now: Self.now)
    let first = try folder.text("secrets.json")
    try vault.set(SecretValue("value"), named: "a", now: Self.now)
    #expect(try folder.text("secrets.json") != first)
    #expect(try vault.entries().count == 1)
  }

  @Test func `a removed secret cannot be read`() throws {
    let vault = folder.vault()
    try vault.set(SecretValue("value"), named: "a", now: Self.now)
    #expect(try vault.remove(named: "a"))
    #expect(!(try vault.remove(named: "a")))
    #expect(try vault.entries() == [])
  }

  @Test func `a key or a file that others can read is refused`() throws {
    let vault = folder.vault()
    try vault.set(SecretValue("value"), named: "a", now: Self.now)
    try folder.setMode("secrets.key", 0o644)
    #expect(
      problem { _ = try vault.value(named: "a") }
        == "the file FOLDER/secrets.key is accessible to other users (mode 0644); "
        + "run `chmod 600 FOLDER/secrets.key`")
    try folder.setMode("secrets.key", 0o600)
    try folder.setMode("secrets.json", 0o660)
    #expect(
      problem { _ = try vault.entries() }
        == "the file FOLDER/secrets.json is accessible to other users (mode 0660); "
        + "run `chmod 600 FOLDER/secrets.json`")
  }

  @Test func `another key decrypts nothing, and the message has advice`() throws {
    try folder.vault().set(SecretValue("value"), named: "a", now: Self.now)
    let other = folder.vault(key: "other.key")
    try other.set(SecretValue("value"), named: "b", now: Self.now)
    #expect(
      problem { _ = try other.value(named: "a") }
        == "the stored secret 'a' was not encrypted with the key in FOLDER/other.key, or is "
        + "damaged; set it again with `fetchrun secret set a`")
    #expect(try other.value(named: "b").text == "value")
  }

  @Test func `the advice names a key that only the config has`() throws {
    let key = folder.path + "/my key"
    let vault = SecretVault(path: folder.path + "/secrets.json", keyPath: key, typedKey: key)
    #expect(
      problem { _ = try vault.value(named: "a") }
        == "there is no stored secret 'a'; set it with `fetchrun secret set a --key 'FOLDER/my key'`"
    )
  }

  @Test func `a value at another secret's place is refused`() throws {
    let vault = folder.vault()
    try vault.set(SecretValue("value"), named: "a", now: Self.now)
    let text = try folder.text("secrets.json")
    try folder.write("secrets.json", text.replacing("\"a\"", with: "\"b\""))
    #expect(problem { _ = try vault.value(named: "b") }.hasPrefix("the stored secret 'b' was not"))
  }

  @Test(arguments: [
    (
      "",
      "FOLDER/secrets.json is not a file of stored secrets, or is damaged: move it away and set "
        + "the secrets again"
    ),
    (
      "{}",
      "FOLDER/secrets.json is not a file of stored secrets, or is damaged: move it away and set "
        + "the secrets again"
    ),
    (
      #"{"format":"fetchrun secrets","version":2}"#,
      "FOLDER/secrets.json was written by a newer fetchrun: use the newer one"
    ),
    (
      #"{"format":"fetchrun secrets","version":1,"secrets":[{"name":"a"}]}"#,
      "FOLDER/secrets.json is damaged: move it away and set the secrets again"
    ),
    (
      #"{"format":"fetchrun secrets","version":1,"secrets":[{"name":"../a","changedAt":"2026-11-20T10:00:00Z","box":"AA=="}]}"#,
      "FOLDER/secrets.json is damaged: move it away and set the secrets again"
    ),
    (
      #"{"format":"fetchrun secrets","version":1,"secrets":[{"name":"a","changedAt":"2026-11-20T10:00:00Z","box":"AA=="}]}"#,
      "the stored secret 'a' was not encrypted with the key in FOLDER/secrets.key, or is damaged; "
        + "set it again with `fetchrun secret set a`"
    ),
  ]) func `a file that is damaged or of a later version is reported`(text: String, message: String)
    throws
  {
    let vault = folder.vault()
    try vault.set(SecretValue("value"), named: "a", now: Self.now)
    try folder.write("secrets.json", text)
    #expect(problem { _ = try vault.value(named: "a") } == message)
  }

  @Test func `a key file with invalid contents is reported and left unchanged`() throws {
    try folder.write("secrets.key", "password\n")
    #expect(
      problem { try folder.vault().set(SecretValue("v"), named: "a", now: Self.now) }
        == "FOLDER/secrets.key does not contain a key that encrypts stored secrets")
    #expect(try folder.text("secrets.key") == "password\n")
  }

  @Test func `concurrent changes of the stored secrets lose none`() async throws {
    let vault = folder.vault()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          try vault.set(SecretValue("value \(number)"), named: "s\(number)", now: Self.now)
        }
      }
      try await group.waitForAll()
    }
    #expect(try vault.entries().count == 20)
    #expect(try vault.value(named: "s7").text == "value 7")
  }
}
