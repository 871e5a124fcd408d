import FetchConfig
import FetchEngine
import FetchStore
import FetchTestSupport
import Foundation
import Testing

/// Tests of the addresses that are refused, and of the data that they leave on this machine.
@Suite struct StoreOpenerTests {
  @Test(arguments: [
    "postgresql://me:hunter2222@db.example/news", "postgresql://me:hun?ter@db.example/news",
    "postgresql://db.example/news?password=hunter2222",
  ]) func `an address with a password is refused and leaves no folder`(
    address: String
  ) async throws {
    let state = try TemporaryFolder.make("opener")
    defer { try? FileManager.default.removeItem(atPath: state) }
    let locations = Locations(environment: ["XDG_STATE_HOME": state], executable: "")
    let store = StoreAddress(address, locations)
    #expect(!StateFolder(of: store).folder.dropFirst(state.count).contains("hun"))
    #expect(throws: StoreError.self) { try StoreOpener.check(store) }
    let error = await #expect(throws: StoreError.self) { _ = try await StoreOpener.open(store) }
    #expect(error?.code == .rejected)
    #expect(try FileManager.default.contentsOfDirectory(atPath: state).isEmpty)
  }

  @Test func `the folder of a store is named after its user, server and database`() throws {
    let locations = Locations(environment: ["XDG_STATE_HOME": "/state"], executable: "")
    let store = StoreAddress("postgresql://me@db.example:5433/news?sslmode=require", locations)
    let folder = StateFolder(of: store).folder
    #expect(folder.hasPrefix("/state/fetchrun/postgresql-me-db.example-5433-news-"))
    try StoreOpener.check(store)
  }
}
