/** A digest that tells whether something changed that must not be shown. Pure. */
import { createHash } from 'node:crypto';
import { writeJson } from '../../lib/json-text.ts';

/**
 * The digest of a JSON value of any depth, whatever the order of its keys. Lists keep their order, which may say what
 * runs first. Whole: whoever writes both versions could find two that share a part of it.
 */
export function jsonDigest(value: unknown): string {
  const hash = createHash('sha256');
  writeJson(value, (text) => hash.update(text), { sorted: true });
  return hash.digest('hex');
}
