import ArgumentParser

/// The flag of verbs about grants which says that the name is the name of a hook instead of a job.
struct HookFlag: ParsableArguments {
  @Flag(name: .customLong("hook"), help: "The name is that of a hook, not of a job.")
  var isHook = false
}
