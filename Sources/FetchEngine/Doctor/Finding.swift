import FetchValues

/// The result of one check of `doctor`.
package struct Finding: Equatable, Sendable {
  package enum Grade: String, Sendable {
    case good
    /// It works, but with less protection or comfort than possible.
    case weak
    /// Runs will fail.
    case bad
  }

  package var subject: String
  package var grade: Grade
  /// The result and, unless it is good, what to do.
  package var message: String
}

extension Finding {
  /// The object `{"subject":…,"grade":…,"message":…}`.
  package var json: String {
    let object: Value = [
      "subject": .string(subject), "grade": .string(grade.rawValue), "message": .string(message),
    ]
    return (try? JSONWriter.text(object)) ?? "{}"
  }
}
