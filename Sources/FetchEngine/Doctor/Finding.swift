import FetchValues

/// One thing `doctor` looked at.
package struct Finding: Equatable, Sendable {
  package enum Grade: String, Sendable {
    case good
    /// Works, but with less protection or comfort than it could have.
    case weak
    /// Runs will fail.
    case bad
  }

  package var subject: String
  package var grade: Grade
  /// What was found and, unless it is good, what to do.
  package var message: String
}

extension Finding {
  /// `{"subject":…,"grade":…,"message":…}`
  package var json: String {
    let object: Value = [
      "subject": .string(subject), "grade": .string(grade.rawValue), "message": .string(message),
    ]
    return (try? JSONWriter.text(object)) ?? "{}"
  }
}
