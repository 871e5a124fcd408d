package import FetchModel
package import FetchValues

/// One permission of a job or hook, and its grantor. The permission is either granted already, or
/// will be granted by the first run.
package struct GrantedPermission: Equatable, Sendable {
  package enum Deed: Equatable, Sendable {
    case asked(AskedPermission)
    /// All private addresses, or one block of private addresses.
    case address(AddressBlock?)
    /// Files in the job's own folder, at a path and below it.
    case keep(in: String)
    /// A program that is started to get a secret.
    case run([String], secret: String)
    /// A program that is started to deliver events of the job to a hook.
    case tell([String], hook: HookName)
  }

  package enum Giver: Equatable, Sendable {
    case config
    case option(String)
    /// A stored grant, with the time at which it was stored.
    case pinned(PinnedGrant.Source, at: Timestamp)
    /// The first run of the job, which will grant the permission.
    case firstRun
  }

  package var deed: Deed
  package var giver: Giver

  init(_ deed: Deed, by giver: Giver) {
    self.deed = deed
    self.giver = giver
  }
}

extension GrantedPermission {
  /// The permission and its grantor as the end of a sentence that begins with "It may".
  package var sentence: String { "\(phrase) (\(reason))" }

  private var phrase: String {
    switch deed {
    case .asked(let permission): permission.phrase
    case .address(nil): "reach every private address"
    case .address(let block?): "reach the private addresses of \(block)"
    case .keep(let path): "write to '\(path)' in the job's folder"
    case .run(let words, let secret):
      "run `\(words.joined(separator: " "))` for the secret \(secret)"
    case .tell(let words, let hook):
      "run `\(words.joined(separator: " "))` in the hook \(hook)"
    }
  }

  private var reason: String {
    switch giver {
    case .config: "by the config"
    case .option(let name): "by its option \(name)"
    case .pinned(.firstRun, let time): "granted at its first run, \(time)"
    case .pinned(.commandLine, let time): "granted on the command line, \(time)"
    case .pinned(.agreement, let time): "granted explicitly, \(time)"
    case .firstRun: "will be granted at its first run"
    }
  }

  /// The permission as JSON: `AskedPermission.value`, or one of the following objects. Each object
  /// also has the key `by`.
  ///
  /// - `{"address":"10.0.0.0/8"}`, with `*` instead of the block for all private addresses.
  /// - `{"keep":"files","in":"incoming"}`.
  /// - `{"run":["pass","show","token"],"secret":"token"}`, or with `"hook":"desk"` instead of
  ///   `"secret"`.
  package var value: Value {
    var object: ValueObject
    switch deed {
    case .asked(let permission): object = permission.value.objectValue ?? ValueObject()
    case .address(let block):
      object = ValueObject([("address", .string(block?.description ?? "*"))])
    case .keep(let path): object = ValueObject([("keep", "files"), ("in", .string(path))])
    case .run(let words, let secret):
      object = ValueObject([
        ("run", .array(words.map(Value.string))), ("secret", .string(secret)),
      ])
    case .tell(let words, let hook):
      object = ValueObject([
        ("run", .array(words.map(Value.string))), ("hook", .string(hook.text)),
      ])
    }
    switch giver {
    case .config: object.append("by", "config")
    case .option: object.append("by", "option")
    case .pinned(let source, _): object.append("by", .string(source.rawValue))
    case .firstRun: object.append("by", .null)
    }
    return .object(object)
  }
}
