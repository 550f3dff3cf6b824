const token = /\\Q.*?(?:\\E|$)|\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

/** The size of a Unicode character class: compiling it takes as long as this many characters do. */
const unicodeClass = 20;

/** Roughly how many steps a regular expression compiles to: its characters, multiplied by their repetition counts. */
export function patternSize(pattern: string): number {
  const groups = [0];
  let last = 0;
  const add = (size: number) => {
    last = size;
    groups.push((groups.pop() ?? 0) + size);
  };
  for (const [text, least, most] of pattern.matchAll(token)) {
    if (text === "(") groups.push(0);
    else if (text === ")" && groups.length > 1) add((groups.pop() ?? 0) + 1);
    else if (text === "\\p" || text === "\\P") add(unicodeClass);
    else if (text.startsWith("[")) add(text.length + unicodeClass * text.split(/\\p/i).length - unicodeClass);
    else if (least === undefined) add(text.length);
    else {
      const times = Math.max(1, Number(least), Number(most ?? 0));
      const once = last;
      add(once * (times - 1));
      last = once * times;
    }
  }
  return groups.reduce((sum, size) => sum + size, 0);
}
