import FetchValues

/// The result of one check of `doctor`.
package struct Finding: Equatable, Sendable {
  package enum Grade: String, Sendable {
    case good
    /// The check passed, but protection or comfort is less than possible.
    case weak
    /// The check failed: runs will fail.
    case bad
  }

  package var subject: String
  package var grade: Grade
  /// The result of the check. If the grade is not `good`, the message also says what to do.
  package var message: String
}

extension Finding {
  /// The finding as a JSON object: `{"subject":…,"grade":…,"message":…}`.
  package var json: String {
    let object: Value = [
      "subject": .string(subject), "grade": .string(grade.rawValue), "message": .string(message),
    ]
    return (try? JSONWriter.text(object)) ?? "{}"
  }
}
