import FetchEngine
import FetchModel
import FetchValues

extension CaseLines {
  mutating func append(_ run: CaseRun) {
    let report = run.report
    for item in report.lines { lines.append(Self.line(of: item)) }
    for transfer in run.transfers { lines.append(Self.line(of: transfer)) }
    for file in run.changes {
      let hash = file.hash.map { Value.string(Hexadecimal.text(of: $0)) } ?? .null
      lines.append(Self.line(["file": .string(file.path), "sha256": hash]))
    }
    append(report.logs, report.record.outcome)
  }
}
