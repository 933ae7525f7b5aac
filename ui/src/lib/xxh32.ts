/** XXH32, with which uploads are checked: fast without 64-bit integers, and fed piece by piece. */

const p1 = 0x9e3779b1;
const p2 = 0x85ebca77;
const p3 = 0xc2b2ae3d;
const p4 = 0x27d4eb2f;
const p5 = 0x165667b1;

const rotated = (x: number, by: number): number => (x << by) | (x >>> (32 - by));
const round = (lane: number, word: number): number => Math.imul(rotated((lane + Math.imul(word, p2)) | 0, 13), p1);

/** The digest of the bytes so far, with seed 0. */
export class Xxh32 {
  private lanes: [number, number, number, number] = [(p1 + p2) | 0, p2 | 0, 0, -p1 | 0];
  /** Bytes that do not fill a block of 16 yet. */
  private rest = new Uint8Array(16);
  private restLength = 0;
  private length = 0;

  /** Returns a digest that goes on from here independently. */
  copy(): Xxh32 {
    const other = new Xxh32();
    other.lanes = [...this.lanes];
    other.rest = this.rest.slice();
    other.restLength = this.restLength;
    other.length = this.length;
    return other;
  }

  add(bytes: Uint8Array): this {
    this.length += bytes.length;
    let at = 0;
    if (this.restLength > 0) {
      at = Math.min(16 - this.restLength, bytes.length);
      this.rest.set(bytes.subarray(0, at), this.restLength);
      this.restLength += at;
      if (this.restLength < 16) return this;
      this.blocks(this.rest, 0, 16);
      this.restLength = 0;
    }
    const end = at + ((bytes.length - at) & ~15);
    this.blocks(bytes, at, end);
    this.rest.set(bytes.subarray(end), 0);
    this.restLength = bytes.length - end;
    return this;
  }

  private blocks(bytes: Uint8Array, from: number, to: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let [a, b, c, d] = this.lanes;
    for (let at = from; at < to; at += 16) {
      a = round(a, view.getInt32(at, true));
      b = round(b, view.getInt32(at + 4, true));
      c = round(c, view.getInt32(at + 8, true));
      d = round(d, view.getInt32(at + 12, true));
    }
    this.lanes = [a, b, c, d];
  }

  /** Returns the digest as 8 hexadecimal digits. */
  digest(): string {
    const [a, b, c, d] = this.lanes;
    let hash = this.length >= 16 ? (rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18)) | 0 : p5;
    hash = (hash + this.length) | 0;
    const view = new DataView(this.rest.buffer);
    let at = 0;
    for (; at + 4 <= this.restLength; at += 4) hash = Math.imul(rotated((hash + Math.imul(view.getInt32(at, true), p3)) | 0, 17), p4);
    for (; at < this.restLength; at += 1) hash = Math.imul(rotated((hash + Math.imul(this.rest[at] ?? 0, p5)) | 0, 11), p1);
    hash = Math.imul(hash ^ (hash >>> 15), p2);
    hash = Math.imul(hash ^ (hash >>> 13), p3);
    return ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(8, '0');
  }
}
