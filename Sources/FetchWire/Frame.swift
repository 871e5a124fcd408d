/// One message in the buffer of a reader. The `payload` is valid until the reader is used again.
package struct Frame {
  package let run: UInt32
  package let kind: UInt8
  package let payload: UnsafeRawBufferPointer

  package init(run: UInt32, kind: UInt8, payload: UnsafeRawBufferPointer) {
    self.run = run
    self.kind = kind
    self.payload = payload
  }
}
