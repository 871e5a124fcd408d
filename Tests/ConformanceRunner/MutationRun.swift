import FeedConformance
import Foundation
import Synchronization

/// Runs of the parser over the sample feeds. Each feed is damaged at every place, or at some places
/// for each kind of damage. The score is printed.
enum MutationRun {
  /// Damages all feeds, or only the feed with the given name, and prints the score. During the run,
  /// prints a line for each measured feed to standard error. Returns whether the score is within
  /// the limits.
  static func run(perKind countMax: Int, feed: String?, threads: Int) throws -> Bool {
    let numbers = SampleFeeds.all.indices.filter { feed == nil || SampleFeeds.all[$0].name == feed }
    let sum = Mutex((score: FeedMutationScore(), problem: (any Error)?.none, next: 0))
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      while true {
        let place = sum.withLock { sum in
          defer { sum.next += 1 }
          return sum.next
        }
        guard place < numbers.count else { return }
        let number = numbers[place]
        let part = Result { try FeedMutationScore.measure(feed: number, perKind: countMax) }
        sum.withLock { sum in
          do {
            let score = try part.get()
            sum.score.add(score)
            report(score.line(SampleFeeds.all[number].name))
          } catch {
            sum.problem = error
          }
        }
      }
    }
    let (score, problem) = sum.withLock { ($0.score, $0.problem) }
    if let problem { throw problem }
    print(score.table)
    for mistake in score.mistakes { print(mistake) }
    return score.mistakes.isEmpty
  }

  private static func report(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
