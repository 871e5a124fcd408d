import ArgumentParser

/// For verbs about grants, which jobs have and hooks.
struct HookFlag: ParsableArguments {
  @Flag(name: .customLong("hook"), help: "The name is that of a hook, not of a job.")
  var isHook = false
}
