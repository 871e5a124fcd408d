package import FetchModel
import Glibc

/// A granted file that a transfer copies.
package enum TransferSource {
  /// Returns why the file of that address may not be copied; nil if it may, whether it exists or
  /// not.
  package static func refusal(of target: TargetURL, _ grant: Grant) -> Failure? {
    do throws(Failure) {
      _ = try GrantedFile.place(of: target, grant.readPaths)
      return nil
    } catch {
      return error
    }
  }

  static func open(_ target: TargetURL, _ readPaths: [String]) throws(Failure) -> RegularFile {
    let place = try GrantedFile.place(of: target, readPaths)
    do throws(FileFault) { return try ReadGrant.file(place.start, place.rest) } catch {
      throw Failure(.fileAccess, "\(error)", retryable: error.isPassing)
    }
  }

  /// Returns validators that distinguish one state of the file from another. They are strong,
  /// unlike those for plugins, because a copy checks again at its end.
  static func validators(of facts: FileFacts) -> RangeValidators {
    let time = "\(facts.modifiedSeconds).\(facts.modifiedNanoseconds)"
    return RangeValidators(
      etag: "\"\(time)-\(facts.size)-\(facts.node)\"",
      lastModified: HTTPDate.text(facts.modified))
  }
}
