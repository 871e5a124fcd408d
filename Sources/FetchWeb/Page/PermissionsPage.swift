import FetchValues

/// The page of the permissions that a job's plugin file requests. It shows which of them the user
/// has not granted.
package struct PermissionsPage: Sendable {
  package var job: String
  /// The requested permissions, as `fetchrun permissions` prints them.
  package var requested: [String]
  /// The requested permissions that the user has not granted.
  package var missing: [String]
  /// The hash of the file, in hexadecimal; nil if it is unknown. The page's button grants the
  /// permissions only if the file still has this hash.
  package var hash: String?

  package init(job: String, requested: [String], missing: [String], hash: String?) {
    self.job = job
    self.requested = requested
    self.missing = missing
    self.hash = hash
  }

  /// Returns the page as HTML.
  package func html(_ frame: PageFrame) -> HTML {
    let facts: HTML =
      missing.isEmpty
      ? "No request of the job's file waits for your approval."
      : "The job's file requests more than you have granted."
    let content: HTML = """
      <div class="heading"><h1>Permissions of \(frame.jobLink(job))</h1>\
      <p class="facts">\(facts)</p></div>
      \(missingList(frame))
      <section aria-labelledby="requested"><h2 id="requested">What the file requests</h2>\
      \(requested.isEmpty
        ? frame.empty("The file requests no permissions.")
        : "<ul class=\"plain panel\">\(each: requested, { "<li>\($0)</li>" })</ul>")\
      \(hash.map { "<p class=\"facts\">SHA-256 of the file: <code>\($0)</code></p>" as HTML })\
      </section>
      """
    return frame.page(title: "Permissions of \(job)", section: nil, content)
  }

  private func missingList(_ frame: PageFrame) -> HTML {
    if missing.isEmpty { return "" }
    let agree: HTML
    if let hash, frame.viewer.grants {
      agree = frame.action(
        "Agree", LocalAddress("jobs", job, "grant"), about: "to the new permissions of \(job)",
        style: "primary", fields: [("hash", hash)])
    } else {
      agree = """
        <p class="facts">To agree, use a login with the scope <code>grant</code>, or type:</p>\
        <pre>fetchrun grant \(ShellWord.quoted(job))</pre>
        """
    }
    return """
      <section class="failure held" aria-labelledby="missing"><h2 id="missing">New requests</h2>\
      <pre class="difference">\(each: missing, { "<ins>+ \($0)</ins>" })</pre>\(agree)</section>
      """
  }
}
