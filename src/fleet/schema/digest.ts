/** A digest by which what must not be shown can still be told from what it was. Pure. */
import { createHash } from 'node:crypto';
import { isObject } from './fields.ts';

/** 64 bits: two of the versions that a policy ever has do not meet by accident. */
const HEX_DIGITS = 16;
/** Deeper than anything that was seen; a hostile nesting must not fill the stack. */
const DEEPEST = 100;

/** The same for equal JSON, in whatever order its keys stand; null where it is nested too deeply to be told. */
export function digestOf(value: unknown): string | null {
  const hash = createHash('sha256');
  const whole = feed(value, (text) => hash.update(text), DEEPEST);
  return whole ? hash.digest('hex').slice(0, HEX_DIGITS) : null;
}

/** Gives the canonical JSON of `value` piece by piece; false where it ended early. */
function feed(value: unknown, write: (text: string) => void, levels: number): boolean {
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    write('[');
    const whole = value.every((item) => feed(item, write, levels - 1));
    write(']');
    return whole;
  }
  if (!isObject(value)) {
    write(`${JSON.stringify(value)},`);
    return true;
  }
  write('{');
  const whole = Object.keys(value)
    .sort()
    .every((key) => {
      write(`${JSON.stringify(key)}:`);
      return feed(value[key], write, levels - 1);
    });
  write('}');
  return whole;
}
