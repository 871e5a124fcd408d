import FetchModel
import FetchStore
import FetchValues

/// The memory and the grants of a store that does not exist yet: there are none.
struct UncreatedStore: ScheduleReading, GrantReading {
  func schedules(after mark: PageMark?) -> Page<JobMemory> { Page([]) }
  func schedules(of jobs: [JobName]) -> [JobMemory] { [] }
  func sharedMemory() -> SharedMemory { SharedMemory() }
  func coolDowns(after now: Timestamp) -> [ExactText: Timestamp] { [:] }
  func skips(job: JobName?, limit: Int) -> [SkipRecord] { [] }
  func abandoned() -> [JobName] { [] }
  func grant(of job: JobName, plugin: String) -> PinnedGrant? { nil }
  func grants(of job: JobName) -> [PinnedGrant] { [] }
  func grant(ofHook hook: HookName, plugin: String) -> PinnedGrant? { nil }
}
