import Foundation
import Testing

/// Tests of the warnings of `fetchrun check` about the files and programs to which hooks deliver.
@Suite struct HookPlaceTests {
  @Test func `check warns of missing folders and programs that hooks need`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("plugins/source.lua", HookFileTests.source)
    try program.write("there/plain.sh", "")
    let tell = try program.write("there/tell.sh", "")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: tell)
    let folder = program.folder.path
    let config = try program.write(
      "fetchrun.yaml",
      """
      plugins: \(folder)/plugins
      hooks:
        - { name: none, file: gone/news.jsonl }
        - { name: some, file: there/news.jsonl }
        - { name: here, file: news.jsonl }
        - { name: lost, command: [./gone.sh, now] }
        - { name: found, command: [./there/tell.sh] }
        - { name: shell, command: { run: ./gone.sh, shell: true } }
        - { name: path, command: [notify-send] }
        - { name: plain, command: [./there/plain.sh] }
      jobs:
        - {name: one, plugin: source}
      """)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config)
    let ending = try program.run("check", config)
    #expect(ending.status == 0 && ending.output == "\(config): fine: 1 job\n", "\(ending)")
    #expect(
      ending.messages == """
        fetchrun: \(config):3:5: warning: hook 'none': this user cannot find the folder \
        \(folder)/gone for its file: create the folder if it does not exist
        fetchrun: \(config):6:5: warning: hook 'lost': this user cannot find the program \
        \(folder)/./gone.sh
        fetchrun: \(config):9:5: warning: hook 'path': there is no program 'notify-send' in $PATH
        fetchrun: \(config):10:5: warning: hook 'plain': this user may not \
        execute the program \(folder)/./there/plain.sh: as the owner of the file, type `chmod +x \(folder)/./there/plain.sh`

        """)
  }
}
