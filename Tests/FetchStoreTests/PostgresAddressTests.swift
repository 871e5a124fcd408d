import FetchStore
import Testing

@testable import FetchStorePostgres

@Suite struct PostgresAddressTests {
  @Test(arguments: [
    "postgresql://localhost/a", "postgresql://me@127.0.0.1:5433/a", "postgresql:///a",
    "postgresql://me@[::1]:5433/a", "postgresql://me@%2Frun%2Fpostgresql/a",
    "postgresql:///a?host=/run/postgresql",
  ]) func `a connection that stays on this machine needs no certificate`(address: String) {
    #expect(PostgresAddress.mode(of: address) == "prefer")
  }

  @Test(arguments: [
    "postgresql://db.example/a", "postgresql://localhost.example/a", "postgresql://127.example/a",
    "postgresql://localhost,db.example/a", "postgresql://localhost/a?host=db.example",
    "postgresql://db.example/a?application_name=host=/x", "postgresql:///a?hostaddr=192.0.2.1",
    "postgresql:///a?ho%73t=db.example", "postgresql:///a?service=news",
    "postgresql://localhost?x@db.example/a",
  ]) func `the certificate and the name of another machine are checked`(address: String) {
    #expect(PostgresAddress.mode(of: address) == "verify-full")
  }

  @Test(arguments: [
    ("postgresql:///a", "dbname"), ("postgresql:///a?connect_timeout=10", "dbname"),
    ("postgresql:///a?connect_timeout=0", "connect_timeout"),
    ("postgresql:///a?connect_timeout=9&connect%5Ftimeout=-1", "connect_timeout"),
  ]) func `an address can change the limit for connecting, but not remove it`(
    address: String, last: String
  ) throws {
    let parameters = try PostgresAddress(.server(address, folder: "/tmp")).parameters(name: "x")
    #expect(parameters.last?.key == last)
    #expect(parameters.last { $0.key == "connect_timeout" }?.value == "2")
    #expect(parameters.last { $0.key == "dbname" }?.value == address)
  }

  @Test func `only two hexadecimal digits after a percent sign are an encoded byte`() {
    #expect(PostgresAddress.decoded("a%2fb%4A") == "a/bJ")
    #expect(PostgresAddress.decoded("%+1 %-1 %4 %g0 %") == "%+1 %-1 %4 %g0 %")
  }

  @Test func `an address with a password is refused`() {
    for address in [
      "postgresql://me:secret@db.example/a", "postgresql:///a?pass%77ord=secret",
      "postgres://db.example/a?sslmode=require&password=secret",
      "postgresql://me:pa?secret@db.example/a",
    ] {
      let error = #expect(throws: StoreError.self) {
        try PostgresAddress(.server(address, folder: "/tmp"))
      }
      #expect(error?.message.contains("secret") == false)
    }
  }
}
