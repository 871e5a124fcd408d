import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

@testable import FetchWeb

/// Tests that the OpenAPI document and the reference page match the routes, and that the schemas
/// match the lines.
@Suite struct DocumentTests {
  private static let document = OpenAPIDocument.value(of: WebRoutes.all, version: "1")

  @Test func `the page has the generated tables`() throws {
    let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path = "Sources/Documentation.docc/Reference/HTTPInterface.md"
    let page = try String(contentsOf: top.appending(path: path), encoding: .utf8)
    #expect(
      page.hasSuffix(RouteTables.markdown(of: WebRoutes.all)), "fetchrun-web --markdown prints them"
    )
  }

  @Test func `every route of the API is described`() throws {
    let paths = try #require(Self.document["paths"]?.objectValue)
    for route in WebRoutes.all where route.surface == .api {
      let operation = paths[route.path.description]?[route.method.lowercased()]
      #expect(operation?["summary"]?.stringValue == route.sentence)
      #expect(operation?["parameters"]?.arrayValue?.count == route.parameters.count)
      let status = String(route.answer.status)
      #expect(operation?["responses"]?[status] != nil, "\(route.method) \(route.path)")
    }
  }

  @Test func `names of operations are unique, and every reference leads somewhere`() throws {
    let text = try JSONWriter.text(Self.document)
    let names = text.matches(of: /"operationId":"([A-Za-z]+)"/).map { String($0.1) }
    #expect(Set(names).count == names.count)
    #expect(names.count == WebRoutes.all.count { $0.surface == .api })
    let schemas = try #require(Self.document["components"]?["schemas"]?.objectValue)
    for reference in text.matches(of: /"#\/components\/schemas\/([A-Za-z]+)"/) {
      #expect(schemas[String(reference.1)] != nil, "\(reference.1)")
    }
  }

  @Test func `the document is served`() async throws {
    let site = try TestSite()
    let answer = await site.answer(
      "GET", "/api/v1/openapi.json", [("Authorization", "Bearer \(try site.token())")])
    #expect(answer.value["openapi"] == "3.1.0")
    #expect(answer.value["paths"]?["/api/v1/items"] != nil)
  }

  // MARK: Lines

  private static func keys(_ value: Value) -> [String] { value.objectValue?.keys ?? [] }

  /// Checks that a line has all required keys of its schema and no unknown key, at each level. A
  /// null or missing value must be nullable or optional in the schema.
  private func compare(_ line: Value, _ fields: [RouteField], _ name: String) {
    let keys = Self.keys(line)
    #expect(keys.filter { key in !fields.contains { $0.name == key } } == [], "\(name)")
    #expect(
      fields.filter { !$0.isOptional }.map(\.name).filter { !keys.contains($0) } == [], "\(name)")
    for field in fields {
      guard let value = line[field.name], !value.isNull else {
        #expect(field.isNullable || field.isOptional, "\(name).\(field.name)")
        continue
      }
      if case .fields(let inner) = field.kind {
        compare(value, inner, "\(name).\(field.name)")
      }
    }
  }

  @Test func `lines have the members of their schemas`() throws {
    let now = Timestamp(seconds: 1_800_000_000)
    let item = StoredItem(
      sequence: 1, job: "a", key: ItemKey("b"), change: .added, title: "c", url: nil,
      published: nil, seenAt: now, fieldsJSON: "{}")
    compare(try JSONReader.decode(item.json), APIFields.item, "Item")
    let id = try #require(RunID("01a20b60-fb07-7b09-8389-f3a9482929f5"))
    var run = RunRecord(
      run: id, job: "a", plugin: "b", trigger: .manual,
      outcome: .failed(Failure(.pluginError, "c", retryable: false, file: "d", line: 1)),
      startedAt: now)
    run.note = "d"
    compare(try JSONReader.decode(run.json), APIFields.run, "Run")
    let delivery = Delivery(
      id: 1, hook: "a", job: "b", event: .newData, payload: "{}", key: "c", createdAt: now)
    compare(try JSONReader.decode(delivery.json), APIFields.delivery, "Delivery")
    let token = WebToken(name: "a", hash: [], scopes: [.read], createdAt: now)
    compare(.object(token.shownValue), APIFields.token, "Token")
    compare(WebProblem(.notFound, 404, "a", hint: "b").value, APIFields.problem, "Problem")
  }
}
