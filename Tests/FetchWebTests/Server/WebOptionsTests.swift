import Testing

@testable import FetchWeb

@Suite struct WebOptionsTests {
  @Test func `a store whose address has a password is refused`() {
    let error = #expect(throws: WebOptions.Problem.self) {
      _ = try WebOptions(
        ["--store", "postgresql://me:hunter2222@db.example/news"], environment: ["HOME": "/me"])
    }
    #expect(error?.message.contains("must not contain a password") == true)
    #expect(error?.message.contains("hunter2222") == false)
  }
}
