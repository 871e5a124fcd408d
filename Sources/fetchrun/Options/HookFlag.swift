import ArgumentParser

/// The flag that makes a name a hook's, for verbs about grants of jobs and hooks.
struct HookFlag: ParsableArguments {
  @Flag(name: .customLong("hook"), help: "The name is that of a hook, not of a job.")
  var isHook = false
}
