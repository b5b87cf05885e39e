/** A digest by which what must not be shown can still be told from what it was. Pure. */
import { createHash } from 'node:crypto';
import { isObject } from './fields.ts';

/** 64 bits: two of the versions that a policy ever has do not meet by accident. */
const HEX_DIGITS = 16;
/** Deeper than anything that was seen; a hostile nesting must not fill the stack. */
const MAX_DEPTH = 100;

/** The same for equal JSON, in whatever order its keys stand; null where it is nested too deeply to be told. */
export function jsonDigest(value: unknown): string | null {
  const hash = createHash('sha256');
  const whole = writeCanonical(value, (text) => hash.update(text), MAX_DEPTH);
  return whole ? hash.digest('hex').slice(0, HEX_DIGITS) : null;
}

/** Gives the canonical JSON of `value` piece by piece; false where it ended early. */
function writeCanonical(value: unknown, write: (text: string) => void, levels: number): boolean {
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    write('[');
    const whole = value.every((item) => writeCanonical(item, write, levels - 1));
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
      return writeCanonical(value[key], write, levels - 1);
    });
  write('}');
  return whole;
}
