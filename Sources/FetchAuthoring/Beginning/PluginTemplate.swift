import FetchModel
import FetchValues

/// The code of a new plugin, and a recording on which the code succeeds.
struct PluginTemplate {
  var text: String
  var recording: Recording
}

/// The purpose of a new plugin.
package enum PluginKind: String, CaseIterable, Sendable {
  case rss, json, files, page

  func template(named name: String) -> PluginTemplate {
    switch self {
    case .rss: .rss(name)
    case .json: .json(name)
    case .files: .files(name)
    case .page: .page(name)
    }
  }

  /// The command line arguments that run the new plugin on real data.
  var arguments: String {
    switch self {
    case .rss, .json, .page: "--option url=ADDRESS"
    case .files: "--option folder=$PWD/FOLDER --allow-read FOLDER"
    }
  }
}

extension PluginTemplate {
  /// Creates a template with one request that is answered with `body`.
  init(
    _ text: String, url: String, type: String, file: String, body: String
  ) {
    self.text = text
    var answer = RecordedAnswer(status: 200)
    answer.headers = [HTTPField("Content-Type", type)]
    answer.body = RecordedBody(Array(body.utf8), file: "answers/\(file)")
    recording = Recording()
    recording.options = ValueObject([("url", .string(url))])
    recording.runs = [RecordedRun(requests: [RecordedRequest(url: url, end: .answer(answer))])]
  }
}
