package import FetchModel
package import FetchValues

/// One permission of a job, with its grantor.
package struct GrantedPermission: Equatable, Sendable {
  package enum Deed: Equatable, Sendable {
    case asked(AskedPermission)
    /// All private addresses, or a block of them.
    case address(AddressBlock?)
    /// Files at a path in the job's own folder, and below it.
    case keep(in: String)
    /// A program that is started for a secret.
    case run([String], secret: String)
    /// A program that is started for a hook that is notified of the job.
    case tell([String], hook: String)
  }

  package enum Giver: Equatable, Sendable {
    case config
    case option(String)
    /// A stored grant with its time.
    case pinned(PinnedGrant.Source, at: Timestamp)
    /// The first run, which is still to come.
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
  /// The end of a sentence that begins with "the plugin may".
  package var sentence: String { "\(phrase) (\(reason))" }

  private var phrase: String {
    switch deed {
    case .asked(let permission): permission.phrase
    case .address(nil): "reach every private address"
    case .address(let block?): "reach the private addresses of \(block)"
    case .keep(let path): "keep files in \(path) of the job's folder"
    case .run(let words, let secret):
      "have `\(words.joined(separator: " "))` run for the secret \(secret)"
    case .tell(let words, let hook):
      "have `\(words.joined(separator: " "))` run by the hook \(hook)"
    }
  }

  private var reason: String {
    switch giver {
    case .config: "by the config"
    case .option(let name): "by its option \(name)"
    case .pinned(.firstRun, let time): "granted at its first run, \(time)"
    case .pinned(.commandLine, let time): "granted on the command line, \(time)"
    case .pinned(.agreement, let time): "granted by fetchrun grant, \(time)"
    case .firstRun: "will be granted at its first run"
    }
  }

  /// Like `AskedPermission.value`, or `{"address":"10.0.0.0/8"}` with `*` for all, or
  /// `{"keep":"files","in":"incoming"}`, or `{"run":["pass","show","token"],"secret":"token"}`, or
  /// `"hook":"desk"` in place of the secret; with `by`.
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
        ("run", .array(words.map(Value.string))), ("hook", .string(hook)),
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
