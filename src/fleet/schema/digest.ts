/** A digest that tells whether something changed that must not be shown. Pure. */
import { createHash } from 'node:crypto';
import { isObject } from './fields.ts';

/** 64 bits: no two versions of a policy share a digest by accident. */
const HEX_DIGITS = 16;
/** Deeper than anything seen; hostile nesting must not overflow the stack. */
const MAX_DEPTH = 100;

/** The digest of a JSON value, whatever the order of its keys; null when it is nested too deeply. */
export function jsonDigest(value: unknown): string | null {
  const hash = createHash('sha256');
  const whole = writeCanonical(value, (text) => hash.update(text), MAX_DEPTH);
  return whole ? hash.digest('hex').slice(0, HEX_DIGITS) : null;
}

/** Writes the canonical JSON of `value` piece by piece; false when it is nested too deeply. */
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
