/// What is kept of a failed run, for whoever wants to run it again.
package struct KeptAnswers: Sendable {
  package var content: [UInt8]
  /// How many runs of the job keep theirs, this one included; older ones give way.
  package var countMax: Int
  /// Whether no request was answered. Of such runs a job keeps its last beside the others: while
  /// nothing can be reached, nothing gives way that more can be learnt from.
  package var isAnswerless = false

  /// Of all jobs together; older ones give way.
  package static let bytesMax = 64 << 20
  package static let runCountMax = 1_000
  package static let answerlessRunCountMax = 100

  package init(content: [UInt8], countMax: Int) {
    self.content = content
    self.countMax = countMax
  }
}
