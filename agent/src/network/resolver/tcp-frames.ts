/** Prefixes a message on a TCP connection with its length in two bytes (RFC 1035 §4.2.2). */

export function toFrame(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(message.length + 2);
  frame.writeUInt16BE(message.length, 0);
  message.copy(frame, 2);
  return frame;
}

/** Returns the complete messages in what was received, and the rest, which belongs to the next one. */
export function splitFrames(received: Buffer): { frames: Buffer[]; rest: Buffer } {
  const frames: Buffer[] = [];
  let offset = 0;
  while (received.length - offset >= 2) {
    const end = offset + 2 + received.readUInt16BE(offset);
    if (end > received.length) break;
    frames.push(received.subarray(offset + 2, end));
    offset = end;
  }
  return { frames, rest: received.subarray(offset) };
}
