import FetchModel
import FetchValues
import LuaVM

/// Lua's access to the pure library functions.
enum LibraryCalls {
  private static let scratchKeptBytesMax = 1 << 20

  static func call(
    _ number: UInt32, of run: PluginRun, scratch: inout ValueWriter,
    _ encoded: UnsafeRawBufferPointer, _ output: LuaOutput
  ) -> LuaLibraryAnswer {
    let all = LibraryRegistry.all
    guard Int(number) < all.count else { return refuse("no such function", .misuse, output) }
    let function = all[Int(number)]
    scratch.removeAll()
    defer { if scratch.bytes.count > scratchKeptBytesMax { scratch = ValueWriter() } }
    do throws(LibraryError) {
      var arguments = try LibraryArguments(encoded, function: function.name)
      let count = try function.body(&arguments, run.libraryContext, &scratch)
      return count == LibraryFunction.nullAlone ? .null : write(count, scratch.bytes, output)
    } catch {
      switch error {
      case .misuse(let message): return refuse(message, .misuse, output)
      case .errorStatus(let message, let retryable):
        run.remember(Failure(.httpStatus, message, retryable: retryable))
        return refuse(message, .misuse, output)
      case .refused(let message): return refuse(message, .refused, output)
      }
    }
  }

  private static func write(_ count: Int, _ values: [UInt8], _ output: LuaOutput)
    -> LuaLibraryAnswer
  {
    var head = ValueWriter(reserving: 8)
    head.beginArray(count: count)
    let isWritten =
      head.bytes.withUnsafeBytes { output.append($0) }
      && values.withUnsafeBytes { output.append($0) }
    return isWritten ? .values : .refused
  }

  private static func refuse(
    _ message: String, _ answer: LuaLibraryAnswer, _ output: LuaOutput
  ) -> LuaLibraryAnswer {
    var message = message
    _ = message.withUTF8 { output.append(UnsafeRawBufferPointer($0)) }
    return answer
  }
}
