/// What waits for a worker, in one line: nobody overtakes who needs the same, so a plugin with many runs
/// cannot keep another from its turn. See `WorkerSupervisor.placeQueued`.
enum WorkerQueueEntry {
  case run(ActiveRun)
  case inspection(Inspection)

  func isRun(_ id: UInt64) -> Bool { if case .run(let run) = self { run.id == id } else { false } }
}
