/** The value of a JSON text; undefined where it is none. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A list or an object that is being written; `keys`: null for a list. */
type Level = { readonly values: readonly unknown[]; readonly keys: readonly string[] | null; at: number };

/** Texts are handed on together, because each call costs more than the text. */
const MAX_PIECES = 1_000;

/** Without recursion: an answer may be nested deeper than the stack. `sorted`: whatever the order of the keys. */
export function writeJson(
  value: unknown,
  write: (text: string) => void,
  { sorted }: { readonly sorted: boolean },
): void {
  const pieces: string[] = [];
  const levels: Level[] = [];
  const begin = (one: unknown): void => {
    if (typeof one !== 'object' || one === null) {
      pieces.push(scalarText(one));
    } else if (Array.isArray(one)) {
      pieces.push('[');
      levels.push({ values: one, keys: null, at: 0 });
    } else {
      const fields = new Map(Object.entries(one).filter(([, field]) => field !== undefined));
      const keys = sorted ? [...fields.keys()].sort() : [...fields.keys()];
      pieces.push('{');
      levels.push({ values: keys.map((key) => fields.get(key)), keys, at: 0 });
    }
  };
  begin(value);
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { values, keys, at } = level;
    level.at += 1;
    if (at === values.length) {
      pieces.push(keys === null ? ']' : '}');
      levels.pop();
    } else {
      if (at > 0) pieces.push(',');
      if (keys !== null) pieces.push(JSON.stringify(keys[at]), ':');
      begin(values[at]);
    }
    if (pieces.length > MAX_PIECES) write(pieces.splice(0).join(''));
  }
  write(pieces.join(''));
}

/** The same as one text, in the order of the keys. */
export function jsonText(value: unknown): string {
  const pieces: string[] = [];
  writeJson(value, (text) => pieces.push(text), { sorted: false });
  return pieces.join('');
}

/** A number beyond what can be held was read as infinite, and is written so that it is read as that again. */
function scalarText(value: unknown): string {
  if (value === Number.POSITIVE_INFINITY) return '1e999';
  if (value === Number.NEGATIVE_INFINITY) return '-1e999';
  return JSON.stringify(value) ?? 'null';
}
