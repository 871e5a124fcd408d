/// When a run is written down that has not ended, so that a crash in the middle of it is seen.
package enum RunJournaling: Sendable {
  case never
  /// Once it has gone on for a while: most runs have ended by then, and cost nothing more.
  case whenSlow
  /// Before it begins.
  case atOnce
}
