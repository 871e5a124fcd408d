/// An entry in the queue for workers. No entry overtakes another with the same needs, so a plugin
/// with many runs cannot block another. See `WorkerSupervisor.placeQueued`.
enum WorkerQueueEntry {
  case run(ActiveRun)
  case inspection(Inspection)

  func isRun(_ id: UInt64) -> Bool { if case .run(let run) = self { run.id == id } else { false } }
}
