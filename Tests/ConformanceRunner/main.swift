import FeedConformance
import Foundation

// swift run ConformanceRunner CASES.jsonl INPUTS-FOLDER > OUTPUT.jsonl
guard CommandLine.arguments.count == 3 else {
  FileHandle.standardError.write(Data("usage: ConformanceRunner CASES.jsonl INPUTS-FOLDER\n".utf8))
  exit(64)
}
let cases = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))
let inputs = URL(filePath: CommandLine.arguments[2])
FileHandle.standardOutput.write(try FeedConformance.output(cases: cases, inputs: inputs))
