package import FetchModel
import Glibc

/// A granted file that a transfer copies.
package enum TransferSource {
  /// Returns the reason why the file at the address may not be copied; nil if the file may be
  /// copied. The file need not exist.
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

  /// Returns validators that distinguish one state of the file from another. The validators count
  /// as strong ones, unlike the validators for plugins, because a copy checks them again at its
  /// end.
  static func validators(of facts: FileFacts) -> RangeValidators {
    let time = "\(facts.modifiedSeconds).\(facts.modifiedNanoseconds)"
    return RangeValidators(
      etag: "\"\(time)-\(facts.size)-\(facts.node)\"",
      lastModified: HTTPDate.text(facts.modified))
  }
}
