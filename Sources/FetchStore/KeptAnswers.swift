/// The kept answers of a failed run, from which the run can be repeated.
package struct KeptAnswers: Sendable {
  package var content: [UInt8]
  /// The maximum number of the job's runs with kept answers, including this one; the oldest are
  /// dropped.
  package var countMax: Int
  /// Whether no request was answered. A job keeps its last such run in addition to the others, so
  /// that an outage does not displace answers with content.
  package var isAnswerless = false

  /// The size of the kept answers of all jobs; the oldest are dropped.
  package static let bytesMax = 64 << 20
  package static let runCountMax = 1_000
  package static let answerlessRunCountMax = 100

  package init(content: [UInt8], countMax: Int) {
    self.content = content
    self.countMax = countMax
  }
}
