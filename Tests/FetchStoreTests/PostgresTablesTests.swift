import Testing

@testable import FetchStorePostgres

/// Tests of the rows that are copied from a PostgreSQL database, without a server.
struct PostgresTablesTests {
  @Test(arguments: [
    ("a", "'a'"), ("o'x", "'o''x'"), ("'", "''''"), ("a\0b", "'ab'"),
    ("'\u{301}; DROP TABLE jobs --", "'''\u{301}; DROP TABLE jobs --'"),
    ("a\0\u{301}", "'a\u{301}'"), ("", "''"),
  ])
  func `every quote in a literal is doubled, also before a combining mark`(
    text: String, literal: String
  ) {
    // Equal strings may have different scalars.
    #expect(Array(PostgresTables.quoted(text).utf8) == Array(literal.utf8))
  }
}
