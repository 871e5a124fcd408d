import FetchValues
import Testing

struct UnifiedDiffTests {
  @Test func `the diff of equal texts is empty`() {
    #expect(UnifiedDiff.text(from: "a\nb\n", to: "a\r\nb") == "")
    #expect(UnifiedDiff.text(from: "", to: "") == "")
  }

  @Test func `a change is shown with the lines around it`() {
    let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
    let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"
    #expect(
      UnifiedDiff.text(from: old, to: new) == """
        @@ -2,7 +2,7 @@
         2
         3
         4
        -5
        +five
         6
         7
         8

        """)
  }

  @Test func `distant changes are in separate hunks, and near ones in one hunk`() {
    let old = (1...20).map { "\($0)\n" }.joined()
    let far = old.replacing("2\n3\n", with: "2\nx\n3\n").replacing("19\n", with: "")
    #expect(
      UnifiedDiff.text(from: old, to: far, contextLines: 1) == """
        @@ -2,2 +2,3 @@
         2
        +x
         3
        @@ -18,3 +19,2 @@
         18
        -19
         20

        """)
    #expect(
      UnifiedDiff.text(from: old, to: far, contextLines: 9).split(separator: "@@ ").count == 1)
  }

  @Test func `the hunk of an empty text begins at line 0`() {
    #expect(UnifiedDiff.text(from: "", to: "a\n") == "@@ -0,0 +1 @@\n+a\n")
    #expect(UnifiedDiff.text(from: "a", to: "") == "@@ -1 +0,0 @@\n-a\n")
  }

  @Test func `the diff turns the old text into the new one, for random pairs`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let old = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
        "abc".randomElement() ?? "a"
      }
      let new = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
        "abc".randomElement() ?? "a"
      }
      check(old.map { "\($0)"[...] }, new.map { "\($0)"[...] })
    }
  }

  @Test func `texts with more differences than the limit are replaced as a whole`() {
    let old = (0..<3000).map { "old \($0)"[...] }
    let new = (0..<3000).map { "new \($0)"[...] }
    let runs = LineDiff(old: ["same"] + old, new: ["same"] + new).runs
    #expect(runs.map(\.kind) == [.kept, .removed, .added])
  }

  private func check(_ old: [Substring], _ new: [Substring]) {
    var rebuilt: [Substring] = []
    var oldEnd = 0
    for run in LineDiff(old: old, new: new).runs {
      #expect(run.old.lowerBound == oldEnd)
      oldEnd = run.old.upperBound
      switch run.kind {
      case .kept:
        #expect(Array(old[run.old]) == Array(new[run.new]))
        rebuilt += old[run.old]
      case .removed: #expect(run.new.isEmpty)
      case .added: rebuilt += new[run.new]
      }
    }
    #expect(oldEnd == old.count)
    #expect(rebuilt == new)
  }
}
