import Foundation
import Testing

@testable import FetchHost

/// Tests of the warning when root stores a secret that the service may need.
@Suite struct ServiceSecretsTests {
  private let folder: Folder
  private let config = "/etc/fetchrun/fetchrun.yaml"

  init() throws { folder = try Folder() }

  private func write(_ path: String) throws {
    let url = URL(fileURLWithPath: folder.path + path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data().write(to: url)
  }

  private func service(
    config: String? = "/etc/fetchrun/fetchrun.yaml", environment: [String: String] = [:],
    isRoot: Bool = true
  ) -> ServiceSecrets? {
    ServiceSecrets(
      config: config, serviceConfig: self.config, environment: environment, isRoot: isRoot,
      top: folder.path)
  }

  @Test(arguments: ServiceSecrets.units)
  func `the advice has the file, the line of the unit and the entry of the config`(
    unit: String
  ) throws {
    #expect(service() == nil, "without a service, no warning is expected")
    try write(unit)
    #expect(
      service()?.advice("token")
        == "the service does not read root's stored secrets: put the value into"
        + " /etc/fetchrun/token (mode 600), add `LoadCredential=token:/etc/fetchrun/token` below"
        + " [Service] with `systemctl edit fetchrun`, and write `{ credential: token }` in"
        + " /etc/fetchrun/fetchrun.yaml")
    #expect(service()?.areStored == false)
    try write(ServiceSecrets.store)
    #expect(service()?.areStored == true)
  }

  @Test func `no warning is shown for another config, another user or a named place`()
    throws
  {
    try write(ServiceSecrets.units[0])
    #expect(service() != nil)
    #expect(service(config: nil) == nil)
    #expect(service(config: "/srv/fetchrun.yaml") == nil)
    #expect(service(isRoot: false) == nil)
    #expect(service(environment: ["FETCHRUN_SECRETS": "/srv/secrets.json"]) == nil)
    #expect(service(environment: ["FETCHRUN_SECRETS": ""]) != nil)
  }
}
