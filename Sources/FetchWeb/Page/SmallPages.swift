package import FetchValues

/// The page of an error, with a sentence about the error and a hint.
package struct ErrorPage: Sendable {
  package var status: Int
  package var sentence: String
  /// Details of the error, or advice; nil if there are none.
  package var hint: String?

  package init(status: Int, sentence: String, hint: String? = nil) {
    self.status = status
    self.sentence = sentence
    self.hint = hint
  }

  /// Returns the page.
  package func html(_ frame: PageFrame) -> HTML {
    let content: HTML = """
      <div class="heading"><h1>\(sentence)</h1><p class="facts">status \(status)</p></div>
      \(hint.map { "<pre>\($0)</pre>" as HTML })
      <p><a href="/">To the overview</a></p>
      """
    return frame.page(title: sentence, section: nil, content)
  }
}

/// The page on which a browser logs in.
package struct LoginPage: Sendable {
  /// The problem to show, for example with the code of a login; nil if there is none.
  package var problem: String?

  package init(problem: String? = nil) { self.problem = problem }

  /// The whole page, which contains no data from the store.
  package var html: HTML {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Log in · fetchrun</title>
    <link rel="icon" href="\(Assets.icon.address)" type="image/svg+xml">
    <link rel="stylesheet" href="\(Assets.style.address)">
    </head>
    <body class="login">
    <main id="main">
    <p class="brand">\(Assets.mark)fetchrun</p>
    <h1>Log in</h1>
    \(problem.map { "<p class=\"trouble\" role=\"alert\">\($0)</p>" as HTML })
    <p>Type this in a terminal on the machine where fetchrun runs; it prints an address that logs \
    you in:</p>
    <pre>fetchrun web</pre>
    <form method="post" action="/login">
    <label for="code">Or enter the code from that address</label>
    <input id="code" name="code" autocomplete="one-time-code" required maxlength="100">
    <button class="primary">Log in</button>
    </form>
    </main>
    </body>
    </html>

    """
  }
}

/// The page of the tokens, with their names, their rights and the times when they were last used.
package struct TokensPage: Sendable {
  /// One token, without its secret.
  package struct Row: Sendable {
    package var name: String
    package var scopes: [String]
    package var jobs: String?
    package var expiresAt: Timestamp?
    package var usedAt: Timestamp?

    package init(
      name: String, scopes: [String], jobs: String?, expiresAt: Timestamp?, usedAt: Timestamp?
    ) {
      self.name = name
      self.scopes = scopes
      self.jobs = jobs
      self.expiresAt = expiresAt
      self.usedAt = usedAt
    }
  }

  package var tokens: [Row]

  package init(_ tokens: [Row]) { self.tokens = tokens }

  /// Returns the page.
  package func html(_ frame: PageFrame) -> HTML {
    let rows = tokens.map { token -> HTML in
      """
      <tr><th scope="row" class="name">\(token.name)</th>\
      <td>\(token.scopes.joined(separator: ", "))</td><td>\(token.jobs ?? "all jobs")</td>\
      <td class="next"><span class="narrow">expires </span>\(frame.time(token.expiresAt))</td>\
      <td class="next"><span class="narrow">last used </span>\(frame.time(token.usedAt))</td></tr>
      """
    }
    let content: HTML = """
      <div class="heading"><h1>Tokens</h1>\
      <p class="facts">A token is made in a terminal, where it is shown once.</p></div>
      \(rows.isEmpty
        ? frame.empty("There are no tokens.")
        : frame.table(
          "Tokens", style: "queue",
          columns: [
            ("Name", "name"), ("Scopes", ""), ("Jobs", ""), ("Expires", "next"),
            ("Last used", "next"),
          ], rows))
      <pre>fetchrun token add phone --scope read</pre>
      """
    return frame.page(title: "Tokens", section: nil, content)
  }
}
