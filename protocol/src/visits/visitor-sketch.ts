/**
 * Estimates how many different visitors there were (HyperLogLog). Few visitors are a list of their hashes and
 * counted exactly; more are registers of one byte each. Sketches of the same size merge without loss.
 */

export interface SketchSize {
  /** Binary logarithm of the number of registers; the standard error is 1.04 divided by their root. */
  precision: number;
  /** Most hashes that are listed before registers take their place. */
  listed: number;
}

/** Size for all visitors of a window: an error of 2.3 %, 2 KB. */
export const windowSketch: SketchSize = { precision: 11, listed: 256 };

/** Size for the visitors of one value of a top: an error of 9 %, 128 bytes. */
export const valueSketch: SketchSize = { precision: 7, listed: 32 };

const listMark = "=";
const registersMark = "#";
const digitsOfHash = 8;
/** Character of a register that is 0; a rank is at most 26, so all characters are printable. */
const zeroCharacter = 48;

export class VisitorSketch {
  readonly #size: SketchSize;
  /** Hashes as signed numbers of 32 bits; meaningless once there are registers. */
  #hashes: number[] = [];
  #registers: Uint8Array | null = null;

  constructor(size: SketchSize) {
    this.#size = size;
  }

  /** Bytes that the sketch takes in memory, roughly. */
  get sizeBytes(): number {
    return this.#registers === null ? 48 + 8 * this.#hashes.length : 160 + this.#registers.length;
  }

  /** Adds a visitor by an evenly distributed hash of 32 bits. */
  add(hash: number): void {
    const signed = hash | 0;
    if (this.#registers !== null) return raise(this.#registers, this.#size.precision, signed);
    if (this.#hashes.includes(signed)) return;
    this.#hashes.push(signed);
    if (this.#hashes.length > this.#size.listed) this.#useRegisters();
  }

  merge(other: VisitorSketch): void {
    if (other.#registers === null) return other.#hashes.forEach((hash) => this.add(hash));
    const own = this.#registers ?? this.#useRegisters();
    other.#registers.forEach((rank, index) => {
      if (rank > (own[index] ?? 0)) own[index] = rank;
    });
  }

  /**
   * Returns the estimate, by Ertl's improved raw estimator (arXiv:1702.01284, section 4), which needs no
   * correction for few or many.
   */
  estimate(): number {
    if (this.#registers === null) return this.#hashes.length;
    const { precision } = this.#size;
    const registers = 2 ** precision;
    const longest = 32 - precision;
    const counts = Array.from({ length: longest + 2 }, () => 0);
    for (const rank of this.#registers) counts[rank] = (counts[rank] ?? 0) + 1;
    let sum = registers * tau(1 - (counts[longest + 1] ?? 0) / registers);
    for (let rank = longest; rank >= 1; rank--) sum = 0.5 * (sum + (counts[rank] ?? 0));
    sum += registers * sigma((counts[0] ?? 0) / registers);
    return Math.round(registers ** 2 / (2 * Math.LN2 * sum));
  }

  /** Returns the sketch as printable text, which {@link VisitorSketch.decode} reads. */
  encode(): string {
    if (this.#registers === null) {
      const digits = this.#hashes.map((hash) => (hash >>> 0).toString(16).padStart(digitsOfHash, "0"));
      return listMark + digits.join("");
    }
    const characters = Uint16Array.from(this.#registers, (rank) => rank + zeroCharacter);
    return registersMark + String.fromCharCode(...characters);
  }

  /** Reads what {@link encode} wrote; text that is not a sketch of this size is an empty one. */
  static decode(text: string, size: SketchSize): VisitorSketch {
    const sketch = new VisitorSketch(size);
    if (text.startsWith(listMark)) {
      for (let from = 1; from + digitsOfHash <= text.length; from += digitsOfHash)
        sketch.add(Number.parseInt(text.slice(from, from + digitsOfHash), 16));
      return sketch;
    }
    if (!text.startsWith(registersMark) || text.length !== 2 ** size.precision + 1) return sketch;
    const registers = sketch.#useRegisters();
    const highest = 33 - size.precision;
    for (let index = 0; index < registers.length; index++)
      registers[index] = Math.min(highest, Math.max(0, text.charCodeAt(index + 1) - zeroCharacter));
    return sketch;
  }

  #useRegisters(): Uint8Array {
    const registers = new Uint8Array(2 ** this.#size.precision);
    for (const hash of this.#hashes) raise(registers, this.#size.precision, hash);
    this.#hashes = [];
    this.#registers = registers;
    return registers;
  }
}

/** Raises the hash's register to the position of the first 1 behind the bits that choose the register. */
function raise(registers: Uint8Array, precision: number, hash: number): void {
  const index = hash >>> (32 - precision);
  const rank = Math.min(Math.clz32(hash << precision), 32 - precision) + 1;
  if (rank > (registers[index] ?? 0)) registers[index] = rank;
}

function sigma(share: number): number {
  if (share === 1) return Infinity;
  let power = share;
  let factor = 1;
  let sum = share;
  for (let before = -1; sum !== before;) {
    before = sum;
    power *= power;
    sum += power * factor;
    factor += factor;
  }
  return sum;
}

function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let root = share;
  let factor = 1;
  let sum = 1 - share;
  for (let before = -1; sum !== before;) {
    before = sum;
    root = Math.sqrt(root);
    factor *= 0.5;
    sum -= (1 - root) ** 2 * factor;
  }
  return sum / 3;
}
