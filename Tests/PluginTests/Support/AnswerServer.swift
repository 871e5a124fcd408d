import FetchTestSupport
import Synchronization

/// Answers each path, query included, as told for the run under way.
final class AnswerServer: Sendable {
  struct Answer: Sendable {
    var path: String
    var status = 200
    var headers: [String] = []
    var body: [UInt8] = []
    var wants: [(name: String, value: String)] = []
  }

  private struct Scene {
    var answers: [Answer] = []
    var asked: [String] = []
  }

  private let scene = Scenes()
  private let server: ScriptedServer

  private final class Scenes: Sendable {
    let now = Mutex(Scene())
  }

  init() throws {
    let scene = scene
    server = try ScriptedServer { request, connection in
      let answer = scene.now.withLock { now in
        now.asked.append(request.path)
        return now.answers.first { $0.path == request.path }
      }
      guard let answer else { return connection.answer(404, [], "nothing here\n") }
      for want in answer.wants where request.header(want.name) != want.value {
        let found = request.header(want.name) ?? "nothing"
        return connection.answer(400, [], "\(want.name): \(want.value) expected, got \(found)\n")
      }
      connection.answer(answer.status, answer.headers, bytes: answer.body)
    }
  }

  var url: String { server.url }
  /// The paths asked for since the answers were last changed.
  var asked: [String] { scene.now.withLock { $0.asked } }

  func play(_ answers: [Answer]) { scene.now.withLock { $0 = Scene(answers: answers) } }
  func stop() { server.stop() }
}
