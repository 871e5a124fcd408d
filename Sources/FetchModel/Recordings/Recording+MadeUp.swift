import Crypto
import FetchValues

/// What answers need that are given with made-up secrets in them.
extension Recording {
  /// Gives secrets that are numbers, and that a server has sent back, made-up values that are
  /// numbers, too: in JSON nothing else may stand there, and plugins reckon with digits.
  mutating func makeUpNumbers(_ isNumber: (String) -> Bool) {
    guard secrets.contains(where: { isNumber($0.name) }) else { return }
    var names: Set<String> = []
    for request in runs.flatMap(\.requests) {
      if case .answer(let answer) = request.end { names.formUnion(RedactionMark.names(in: answer)) }
    }
    let indices = secrets.indices.filter { names.contains(secrets[$0].name) }
    for (count, index) in indices.filter({ isNumber(secrets[$0].name) }).enumerated() {
      secrets[index].value = RecordedSecret.number(count)
    }
  }

  /// Lets an answer that had the same body as one before the first run have the same one now, where
  /// this recording is that one with its secrets taken out.
  mutating func keepSameBodies(as original: Recording) {
    let known = Set(validators.values.compactMap(\.bodyHash))
    guard !known.isEmpty else { return }
    let madeUp = DummySecrets(secrets)
    let bodies = zip(original.bodies, bodies).filter { $0 != $1 }
    for (before, after) in bodies {
      let hash = Self.hash(before)
      guard known.contains(hash) else { continue }
      let other = Self.hash(madeUp.put(into: after))
      for (key, value) in validators where value.bodyHash == hash {
        validators[key]?.bodyHash = other
      }
    }
  }

  /// Of all answers, in order.
  private var bodies: [[UInt8]] {
    runs.flatMap(\.requests).compactMap { request in
      if case .answer(let answer) = request.end { answer.body.bytes } else { nil }
    }
  }

  private static func hash(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}
