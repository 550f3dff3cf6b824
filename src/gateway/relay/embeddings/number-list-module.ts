/**
 * A WebAssembly module with one function: `commas(at, end)`, the number of commas in its memory from `at` to `end`, or
 * -1 where a byte cannot occur in a list of numbers, or two commas are next to each other. Sixteen bytes are looked at
 *   at once; `end - at` is a multiple of 16. The codes are those of https://webassembly.github.io/spec/core/binary/.
 */
export function numberListModule(): Buffer {
  const types = [1, 0x60, 2, i32, i32, 1, i32];
  const functions = [1, 0];
  const memories = [1, 0, 1];
  const exported = [2, ...text("memory"), 2, 0, ...text("commas"), 0, 0];
  const code = [1, ...sized([2, 1, v128, 3, i32, ...commas, end])];
  const sections = [[1, types] as const, [3, functions] as const, [5, memories] as const, [7, exported] as const];
  const body = [...sections, [10, code] as const].flatMap(([id, content]) => [id, ...sized(content)]);
  return Buffer.from([...Buffer.from("\0asm"), 1, 0, 0, 0, ...body]);
}

const i32 = 0x7f;
const v128 = 0x7b;
const nothing = 0x40;
const end = 0x0b;

/** The parameters, and the locals after them. */
const at = 0;
const until = 1;
const bytes = 2;
const here = 3;
const before = 4;
const count = 5;

const get = (local: number) => [0x20, local];
const set = (local: number, value: readonly number[]) => [...value, 0x21, local];
const tee = (local: number, value: readonly number[]) => [...value, 0x22, local];
/** A constant from -64 to 8,191. */
const int = (value: number) => [0x41, ...(value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, value >> 7])];
const op = (code: number, ...operands: readonly (readonly number[])[]) => [...operands.flat(), code];
const simd = (code: number, ...operands: readonly (readonly number[])[]) => [...operands.flat(), 0xfd, code];

const eqz = (value: readonly number[]) => op(0x45, value);
const lessThan = (a: readonly number[], b: readonly number[]) => op(0x49, a, b);
const ones = (value: readonly number[]) => op(0x69, value);
const add = (a: readonly number[], b: readonly number[]) => op(0x6a, a, b);
const and = (a: readonly number[], b: readonly number[]) => op(0x71, a, b);
const or = (a: readonly number[], b: readonly number[]) => op(0x72, a, b);
const shiftLeft = (a: readonly number[], b: readonly number[]) => op(0x74, a, b);
const shiftRight = (a: readonly number[], b: readonly number[]) => op(0x76, a, b);

const load = (address: readonly number[]) => [...simd(0x00, address), 4, 0];
const each = (byte: number) => simd(0x0f, int(byte));
const equal = (a: readonly number[], b: readonly number[]) => simd(0x23, a, b);
const atMost = (a: readonly number[], b: readonly number[]) => simd(0x2a, a, b);
const butNot = (a: readonly number[], b: readonly number[]) => simd(0x4f, a, b);
const either = (a: readonly number[], b: readonly number[]) => simd(0x50, a, b);
const allTrue = (lanes: readonly number[]) => simd(0x63, lanes);
const bitmask = (lanes: readonly number[]) => simd(0x64, lanes);
const minus = (a: readonly number[], b: readonly number[]) => simd(0x71, a, b);

const returnIf = (condition: readonly number[]) => [...condition, 0x04, nothing, ...int(-1), 0x0f, end];

/** Back to where the loop begins. */
const branchIf = (condition: readonly number[]) => [...condition, 0x0d, 0];

const plus = 0x2b;
const comma = 0x2c;
const slash = 0x2f;
const nine = 0x39;
const e = 0x65;
const space = 0x20;
const lineFeed = 0x0a;

/** From + to 9, but not /: the signs, the comma, the point and the digits. */
const ofNumber = butNot(atMost(minus(get(bytes), each(plus)), each(nine - plus)), equal(get(bytes), each(slash)));
/** E is e without the bit that tells small letters. */
const isE = equal(either(get(bytes), each(0x20)), each(e));
const isBlank = either(equal(get(bytes), each(space)), equal(get(bytes), each(lineFeed)));
const afterComma = or(shiftLeft(get(here), int(1)), get(before));

const commas = [
  0x03,
  nothing,
  ...set(bytes, load(get(at))),
  ...returnIf(eqz(allTrue(either(ofNumber, either(isE, isBlank))))),
  ...set(here, bitmask(equal(get(bytes), each(comma)))),
  ...returnIf(and(get(here), afterComma)),
  ...set(before, shiftRight(get(here), int(15))),
  ...set(count, add(get(count), ones(get(here)))),
  ...branchIf(lessThan(tee(at, add(get(at), int(16))), get(until))),
  end,
  ...get(count),
];

function sized(content: readonly number[]): number[] {
  const { length } = content;
  return length < 0x80 ? [length, ...content] : [(length & 0x7f) | 0x80, length >> 7, ...content];
}

function text(name: string): number[] {
  return sized([...Buffer.from(name)]);
}
