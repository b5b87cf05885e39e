/**
 * Readers for the kinds of fields in rows. Each tries the form that the service nearly always sends first, which
 * costs one type check, and then other forms of the same value: `"5"` for 5, `1` or `"True"` for true, one value for
 * a list of it. None of them throws. Absent, null and unreadable are all null: "the service did not say".
 *
 * Plain functions instead of a schema library: a list of 100,000 devices has ten million fields, and reading them may
 * cost only a part of its `JSON.parse`.
 */
import type { Instant } from '../../lib/clock.ts';
import { parseInstant } from './timestamps.ts';

/** An object of the JSON: any field may be absent or hold anything. */
export type RawObject = Readonly<Record<string, unknown>>;

const EMPTY: readonly never[] = [];
const DECIMAL = /^\s*[+-]?\d+(\.\d+)?\s*$/;

/** Whether the value is a JSON object, not null and not a list. */
export function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The one field that every row needs: a positive integer. */
export function asId(value: unknown): number | null {
  const found = asNumber(value);
  return found !== null && found > 0 && Number.isSafeInteger(found) ? found : null;
}

/** The id of another resource, branded by `as`; 0 means none. */
export function asReference<Id>(value: unknown, as: (id: number) => Id): Id | null {
  const found = value === null || value === undefined ? null : asId(value);
  return found === null ? null : as(found);
}

/** A list of ids of other resources; 0 and unreadable items are left out. */
export function asReferences<Id>(value: unknown, as: (id: number) => Id): readonly Id[] {
  return asList(value, (item) => asReference(item, as));
}

/** A text; numbers and booleans are converted. */
export function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** A list of texts; unreadable items are left out. */
export function asTexts(value: unknown): readonly string[] {
  return isTexts(value) ? value : asList(value, asText);
}

/** A list, or one text of items separated by commas. */
export function asCommaList(value: unknown): readonly string[] {
  const items = typeof value === 'string' ? value.split(',') : asTexts(value);
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** A number, also as text (`uptime`, `cve_score`, sizes). All but exit codes count or measure: a negative one says nothing. */
export function asNumber(value: unknown, least = 0): number | null {
  const found = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) && found >= least ? found : null;
}

const PLAIN = /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d{1,3})?$/i;
/** Groups of three digits, then perhaps decimals: `1 000 000`, `1.234.567,5`. The separators of groups are all the same. */
const GROUPED = /^([+-]?[1-9]\d{0,2})([\s'’.,])(\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/u;
/** One comma or point before three digits separates decimals, or thousands. */
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}(?:e|$)/i;

/** A size as agents of all countries write it; null where it could be read in two ways, or is none: negative or endless. */
export function asSize(value: unknown): number | null {
  const text = typeof value === 'string' ? value.trim() : '';
  const [grouped, head, separator = '', groups = '', decimals = '0'] = GROUPED.exec(text) ?? [];
  let size = asNumber(value);
  if (AMBIGUOUS.test(text)) size = null;
  else if (grouped !== undefined) size = Number(`${head}${groups.replaceAll(separator, '')}.${decimals}`);
  else if (PLAIN.test(text)) size = Number(text.replace(',', '.'));
  return size !== null && size >= 0 && Number.isFinite(size) ? size : null;
}

const HEXADECIMAL = /^\s*0x[\da-f]{1,8}\s*$/i;

/**
 * Exit codes are signed 32-bit (a Windows 0xC0000142 is -1073741502); an unsigned one is converted. Also as text,
 * decimal or hexadecimal.
 */
export function asExitCode(value: unknown): number | null {
  const isHexadecimal = typeof value === 'string' && HEXADECIMAL.test(value);
  const code = isHexadecimal ? Number.parseInt(value, 16) : asNumber(value, -(2 ** 31));
  if (code === null || !Number.isInteger(code)) return null;
  return code < 2 ** 32 ? code | 0 : null;
}

/** A boolean, also as 0 and 1, or as text in any case. */
export function asFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === 1 || word === '1' || word === 'true') return true;
  return word === 0 || word === '0' || word === 'false' ? false : null;
}

export function asInstant(value: unknown): Instant | null {
  return typeof value === 'string' ? parseInstant(value) : null;
}

/** An object with fields; `{}`, which the service sends for nothing, is null. */
export function asObject(value: unknown): RawObject | null {
  if (!isObject(value)) return null;
  // Cheaper than making a list of the keys.
  for (const _key in value) return value;
  return null;
}

/** A list of objects, each read by `read`; other items, such as the null in `[null]`, are left out. */
export function asObjects<T>(value: unknown, read: (raw: RawObject) => T | null): readonly T[] {
  return asList(value, (item) => {
    const raw = asObject(item);
    return raw === null ? null : read(raw);
  });
}

function asList<T>(value: unknown, read: (item: unknown) => T | null): readonly T[] {
  if (value === null || value === undefined) return EMPTY;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (items.length === 0) return EMPTY;
  const found: T[] = [];
  for (const item of items) {
    const one = read(item);
    if (one !== null) found.push(one);
  }
  return found;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
