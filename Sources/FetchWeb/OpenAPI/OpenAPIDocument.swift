package import FetchValues

/// The OpenAPI 3.1 description of the API, made from the routes.
package enum OpenAPIDocument {
  /// Returns the OpenAPI document.
  ///
  /// - Parameters:
  ///   - routes: the routes of the server. Only the routes of the API are described.
  ///   - version: the version of fetchrun.
  package static func value(of routes: [Route], version: String) -> Value {
    let described = routes.filter { $0.surface == .api }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "fetchrun", "version": .string(version),
        "description": """
        The API of fetchrun-web. Fields and addresses may be added; they are never removed or \
        renamed. Errors are problem details (RFC 9457).
        """,
      ],
      "servers": [["url": "/"]],
      "security": [["token": []]],
      "paths": .object(paths(described)),
      "components": [
        "securitySchemes": [
          "token": [
            "type": "http", "scheme": "bearer",
            "description": "a token that `fetchrun token add` printed; the unix socket needs none",
          ]
        ],
        "schemas": .object(schemas(described)),
      ],
    ]
  }

  // MARK: Operations

  private static func paths(_ routes: [Route]) -> ValueObject {
    var paths = ValueObject()
    for route in routes {
      let path = route.path.description
      var operations = paths[path]?.objectValue ?? ValueObject()
      operations.append(route.method.lowercased(), .object(operation(route)))
      paths[path] = .object(operations)
    }
    return paths
  }

  private static func operation(_ route: Route) -> ValueObject {
    var object = ValueObject([
      ("operationId", .string(name(of: route))), ("summary", .string(route.sentence)),
      ("parameters", .array(route.parameters.map(parameter))),
    ])
    if case .json(let fields) = route.body {
      object.append(
        "requestBody",
        [
          "required": true,
          "content": .object(
            ValueObject([(WebMedia.json, ["schema": RouteSchema.closed(fields)])])),
        ])
    }
    var responses = answers(route.answer)
    for word in [WebProblem.Word.noAccess, .missingScope] + route.problems {
      let status = String(word.usualStatus)
      if responses[status] == nil { responses.append(status, problem(word.title)) }
    }
    responses.append("default", problem("An error"))
    object.append("responses", .object(responses))
    if case .scope(let scope) = route.need { object.append("x-scope", .string(scope.rawValue)) }
    return object
  }

  /// Returns a name such as `postJobsByJobRun` for `POST /api/v1/jobs/{job}/run`.
  private static func name(of route: Route) -> String {
    let words = route.path.parts.dropFirst(2).map { part in
      switch part {
      case .word(let word): word.prefix(1).uppercased() + word.dropFirst()
      case .parameter(let name): "By" + name.prefix(1).uppercased() + name.dropFirst()
      }
    }
    return route.method.lowercased() + words.joined().replacing(".", with: "")
  }

  private static func parameter(_ parameter: RouteParameter) -> Value {
    var object = ValueObject([
      ("name", .string(parameter.name)), ("in", .string(parameter.place.rawValue)),
      ("required", .bool(parameter.isRequired)), ("description", .string(parameter.sentence)),
      ("schema", parameter.schema),
    ])
    if case .words = parameter.kind {
      object.append("style", "form")
      object.append("explode", false)
    }
    if let example = parameter.example { object.append("example", example) }
    return .object(object)
  }

  // MARK: Answers

  private static func answers(_ answer: RouteAnswer) -> ValueObject {
    switch answer {
    case .either(let first, let second):
      var object = answers(first)
      for member in answers(second).members where object[member.key] == nil {
        object.append(member.key, member.value)
      }
      return object
    case .text(let type, let status):
      return described(status, [(type.filter { $0 != " " }, ["type": "string"])])
    case .object(let name, _, let status):
      return described(status, [(WebMedia.json, reference(name))])
    case .lines(let name, _, let status):
      let list: Value = [
        "type": "object", "required": ["data"],
        "properties": [
          "data": ["type": "array", "items": reference(name)],
          "next": [
            "type": "string",
            "description": "the address of the next page; absent on the last page",
          ],
        ],
      ]
      return described(status, [(WebMedia.json, list), (WebMedia.lines, ["type": "string"])])
    }
  }

  private static func described(_ status: Int, _ content: [(String, Value)]) -> ValueObject {
    let media = content.map { ($0.0, Value.object(ValueObject([("schema", $0.1)]))) }
    return ValueObject([
      (
        String(status),
        ["description": "The answer", "content": .object(ValueObject(media))]
      )
    ])
  }

  private static func problem(_ description: String) -> Value {
    [
      "description": .string(description),
      "content": .object(
        ValueObject([(WebProblem.type, ["schema": reference("Problem")])])),
    ]
  }

  private static func reference(_ name: String) -> Value {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  private static func schemas(_ routes: [Route]) -> ValueObject {
    var schemas = ValueObject([("Problem", RouteSchema.open(APIFields.problem))])
    for route in routes { add(route.answer, to: &schemas) }
    return schemas
  }

  private static func add(_ answer: RouteAnswer, to schemas: inout ValueObject) {
    switch answer {
    case .lines(let name, let fields, _), .object(let name, let fields, _):
      if schemas[name] == nil { schemas.append(name, RouteSchema.open(fields)) }
    case .text: break
    case .either(let first, let second):
      add(first, to: &schemas)
      add(second, to: &schemas)
    }
  }
}
