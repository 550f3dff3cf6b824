import type { Socket } from "node:net";

const headEnd = Buffer.from("\r\n\r\n");

/** Splits what arrives on a socket into HTTP/1.1 messages with a content-length, one after the other. */
export function requestReader(socket: Socket, message: (head: string, body: Buffer) => void): void {
  let pieces: Buffer[] = [];
  let size = 0;
  let needed = 0;
  let bodyAt = 0;
  socket.on("data", (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
    while (size > 0) {
      if (needed === 0) {
        const so = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, size);
        pieces = [so];
        const end = so.indexOf(headEnd);
        if (end === -1) return;
        bodyAt = end + headEnd.length;
        needed = bodyAt + Number(/content-length: *(\d+)/i.exec(so.toString("latin1", 0, end))?.[1] ?? 0);
      }
      if (size < needed) return;
      const whole = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, size);
      const head = whole.toString("latin1", 0, bodyAt);
      const body = whole.subarray(bodyAt, needed);
      const rest = whole.subarray(needed);
      pieces = rest.length > 0 ? [rest] : [];
      size = rest.length;
      needed = 0;
      message(head, body);
    }
  });
}

const chunksEnd = Buffer.from("0\r\n\r\n");

/** The same for answers, of which those in chunks end with an empty one. */
export function answerReader(socket: Socket, message: (head: string) => void): void {
  let head = "";
  let isChunked = false;
  let left = 0;
  let tail: Buffer = Buffer.alloc(0);
  socket.on("data", (piece: Buffer) => {
    let rest = piece;
    if (head === "") {
      const start = tail.length === 0 ? piece : Buffer.concat([tail, piece]);
      const end = start.indexOf(headEnd);
      if (end === -1) {
        tail = start;
        return;
      }
      head = start.toString("latin1", 0, end);
      rest = start.subarray(end + headEnd.length);
      isChunked = /transfer-encoding: *chunked/i.test(head);
      left = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      tail = Buffer.alloc(0);
    }
    if (isChunked) tail = Buffer.concat([tail, rest.subarray(-chunksEnd.length)]).subarray(-chunksEnd.length);
    else left -= rest.length;
    if (isChunked ? !tail.equals(chunksEnd) : left > 0) return;
    const answered = head;
    head = "";
    tail = Buffer.alloc(0);
    message(answered);
  });
}
