import CHost
import FetchModel
import FetchTestSupport
import Glibc
import Testing

@testable import FetchHost

/// Tests of the groups in which complete files are placed.
@Suite struct PlacementQueueTests {
  private let folder: Folder
  private let file: PartialFile

  init() throws {
    folder = try Folder()
    file = try folder.root().partial(1, for: "a")
  }

  /// Adds files, and returns the numbers of those with which a thread starts.
  private func starts(_ queue: inout PlacementQueue, adding count: Int) -> [Int] {
    (1...count).filter { _ in
      queue.add(PlacementQueue.Request(file: file, placement: Placement()) { _ in })
    }
  }

  /// Takes the waiting files, and returns their number and the next step of the thread.
  private func placed(_ queue: inout PlacementQueue) -> (Int, PlacementQueue.Step) {
    (queue.takeAll().count, queue.next())
  }

  @Test func `the first file is placed at once, and the next ones are gathered`() {
    var queue = PlacementQueue()
    #expect(starts(&queue, adding: 1) == [1])
    #expect(placed(&queue) == (1, .gather))
    #expect(starts(&queue, adding: 5) == [])
    #expect(placed(&queue) == (5, .gather))
    // Nothing has come, so the next file is a first one again.
    let last = queue.takeAll()
    #expect(last.isEmpty)
    #expect(starts(&queue, adding: 1) == [1])
  }

  @Test func `many waiting files start further threads, up to a limit`() {
    var queue = PlacementQueue()
    let group = PlacementQueue.groupMin
    #expect(starts(&queue, adding: 10 * group) == [1, group, 2 * group, 3 * group])
    #expect(placed(&queue) == (10 * group, .leave))
    let steps = (0..<3).map { _ in queue.next() }
    #expect(steps == [.leave, .leave, .gather])
    #expect(starts(&queue, adding: group) == [group])
  }

  @Test func `a thread goes on while a whole group waits`() {
    var queue = PlacementQueue()
    #expect(starts(&queue, adding: 1) == [1])
    let first = queue.takeAll()
    #expect(starts(&queue, adding: PlacementQueue.groupMin) == [PlacementQueue.groupMin])
    let next = queue.next()
    #expect(first.count == 1 && next == .placeNext)
    #expect(placed(&queue) == (PlacementQueue.groupMin, .leave))
    let last = queue.next()
    #expect(last == .gather)
  }

  // MARK: Syncing together

  private func isSyncedTogether(_ descriptors: [Int32]) -> Bool {
    var faults = [Int32](repeating: -1, count: descriptors.count)
    let isDone = sync_together(descriptors, &faults, descriptors.count)
    #expect(faults.allSatisfy { $0 == (isDone ? 0 : -1) })
    return isDone
  }

  @Test func `only file systems with a safe syncfs are synced at once`() throws {
    #expect(!isSyncedTogether([]))
    #expect(!isSyncedTogether([-1]))
    let status = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    defer { close(status) }
    #expect(status >= 0)
    #expect(!isSyncedTogether([status]))
  }
}
