import Testing

/// Tests of the message about text that is not YAML: libyaml's message, the place of the mistake,
/// and advice.
@Suite struct YAMLAdviceTests {
  @Test(arguments: [
    (
      "jobs:\n\t- name: a",
      "2:1: not YAML: found character that cannot start any token; indent with spaces, not with tabs"
    ),
    (
      "jobs:\n  - name: a\n      plugin: rss",
      "3:13: not YAML: mapping values are not allowed in this context; indent the keys of one"
        + " mapping equally, or quote a string that contains ': '"
    ),
    (
      "jobs:\n  - name: a\n    plugin: rss\n    interval: */20 * * * *",
      "4:15: not YAML: did not find expected alphabetic or numeric character; quote a string that"
        + " begins with *, such as \"*/20 * * * *\""
    ),
    (
      "jobs:\n  - { name: a, plugin: rss, options: { url: ${URL} } }",
      "2:46: not YAML: did not find expected ',' or '}'; quote strings with ${…} inside { } and [ "
        + "], as in \"${NAME}\", and close each { and ["
    ),
    (
      "jobs:\n  - name: a\n    options: { url: x\n    plugin: rss",
      "3:14: not YAML: did not find expected ',' or '}'; close this { with }, and put a comma between"
        + " its entries"
    ),
    (
      "jobs:\n  - name: a: b",
      "2:12: not YAML: mapping values are not allowed in this context; quote a string that "
        + "contains ': ' or ends with ':'"
    ),
    (
      "jobs:\n  - name: \"a\n    plugin: rss",
      "2:11: not YAML: found unexpected end of stream; close the quotation mark that opens here"
    ),
    (
      "jobs:\n  - name: @a",
      "2:11: not YAML: found character that cannot start any token; quote a string that begins "
        + "with @"
    ),
    (
      "jobs:\n  - name: a\n    plugin: x: y",
      "3:14: not YAML: mapping values are not allowed in this context; quote a string that "
        + "contains ': ' or ends with ':'"
    ),
    (
      "jobs:\n  - name: a\n    options: # the plugin's\n\n    # its address\n      url: x: y",
      "6:13: not YAML: mapping values are not allowed in this context; quote a string that "
        + "contains ': ' or ends with ':'"
    ),
    (
      "jobs:\r\n  - name: a\r\n    plugin: @a\r\n",
      "3:13: not YAML: found character that cannot start any token; quote a string that begins "
        + "with @"
    ),
    (
      "jobs:\n  - name: &/a*",
      "2:11: not YAML: did not find expected alphabetic or numeric character; quote a string that"
        + " begins with &"
    ),
    (
      "jobs: [ { name: 'a*', interval: */20 } ]",
      "1:33: not YAML: did not find expected alphabetic or numeric character; quote a string that"
        + " begins with *, such as \"*/20 * * * *\""
    ),
  ]) func `each mistake has its advice`(text: String, problem: String) throws {
    #expect(try ConfigFolder.problems(text) == ["fetchrun.yaml:" + problem])
  }

  @Test func `a secret's value in the file is refused, and the message names the possible sources`()
    throws
  {
    #expect(
      try ConfigFolder.problems(
        """
        jobs:
          - name: a
            plugin: rss
            secrets: { token: abc }
        """) == [
          "fetchrun.yaml:4:23: write the source of the secret, not the value: token: { env: "
            + "VARIABLE }, { file: PATH } or { stored: NAME }"
        ])
  }
}
