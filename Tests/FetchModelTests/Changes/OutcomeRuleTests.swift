import FetchModel
import FetchValues
import Testing

@Suite struct OutcomeRuleTests {
  @Test(arguments: [
    (ChangeCounts(added: 1), 1, [AnswerFact.full], "newData"),
    (ChangeCounts(removed: 1), 0, [.full], "newData"),
    (ChangeCounts(), 0, [.notModified], "notModified"),
    (ChangeCounts(), 0, [.notModified, .sameBody], "sameBody"),
    (ChangeCounts(), 0, [.sameBody], "sameBody"),
    (ChangeCounts(), 0, [.notModified, .full], "empty"),
    (ChangeCounts(), 0, [.full], "empty"),
    (ChangeCounts(), 0, [.sameBody, .error], "empty"),
    (ChangeCounts(), 0, [.error], "empty"),
    (ChangeCounts(), 0, [], "empty"),
    (ChangeCounts(), 3, [.full], "sameItems"),
    (ChangeCounts(), 3, [], "sameItems"),
    (ChangeCounts(), 3, [.sameBody], "sameItems"),
  ])
  func `the first check that finds nothing new gives the reason`(
    changes: ChangeCounts, itemCount: Int, answers: [AnswerFact], expected: String
  ) {
    let outcome = OutcomeRule.decide(changes: changes, itemCount: itemCount, answers: answers)
    switch outcome {
    case .newData(let counts):
      #expect(expected == "newData")
      #expect(counts == changes)
    case .noData(let reason): #expect(reason.rawValue == expected)
    case .failed: Issue.record("a run without a failure has the outcome failed")
    }
  }

  @Test func `after a 304 or an error, missing items do not count as removed`() {
    #expect(OutcomeRule.isWhole(answers: [.full, .full]))
    #expect(!OutcomeRule.isWhole(answers: [.full, .notModified]))
    #expect(!OutcomeRule.isWhole(answers: [.sameBody]))
    #expect(!OutcomeRule.isWhole(answers: [.full, .error]))
  }
}
