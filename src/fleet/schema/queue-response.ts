/**
 * What a device answered to a queued command (§2.7, whose type the document does not show). It comes as text, as a
 * list (`["0", "Installing …", null]`: exit code, output, rest), as an object, as JSON text of these, or as a number.
 */
import type { QueueResponse } from '../model.ts';
import { exitCode, isObject, part, type Raw } from './fields.ts';

/** A signed or unsigned 32-bit exit code, as a number or as text. */
const EXIT_CODE = /^\s*[+-]?\d{1,10}\s*$/;
/** Field names without case and separators, in the order in which they count. */
const EXIT_CODE_FIELDS = ['exitcode', 'returncode', 'rc', 'status', 'code'];
const OUTPUT_FIELDS = ['stdout', 'output', 'stderr', 'error', 'message', 'text', 'result', 'response'];
/** JSON text inside JSON text: what is nested deeper is taken as words. */
const MOST_NESTED = 3;

/**
 * Null where nothing was answered. Assumption (§2.7): an empty text is an answer, while an empty list, an empty
 * object and a list of nulls say nothing, as elsewhere in this service.
 */
export function queueResponse(value: unknown, nested = 0): QueueResponse | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return fromList(value, nested);
  if (isObject(value)) return part(value) === null ? null : fromObject(value, nested);
  if (typeof value === 'string') return fromText(value, nested);
  const code = exitCodeOf(value);
  return { exitCode: code, output: code === null ? String(value) : null };
}

function fromText(value: string, nested: number): QueueResponse {
  const inner = nested < MOST_NESTED && /^\s*[[{"]/.test(value) ? parsed(value) : undefined;
  const read = inner === undefined || inner === null ? null : queueResponse(inner, nested + 1);
  if (read !== null) return read;
  const code = exitCodeOf(value);
  return { exitCode: code, output: code !== null || value.trim() === '' ? null : value };
}

function fromList(values: readonly unknown[], nested: number): QueueResponse | null {
  const [first, ...rest] = values;
  const code = exitCodeOf(first);
  if (code !== null) return { exitCode: code, output: joined(rest) };
  const [only, ...others] = values.filter((value) => value !== null && value !== undefined);
  if (only === undefined) return null;
  const isNested = others.length === 0 && typeof only === 'object' && nested < MOST_NESTED;
  return isNested ? queueResponse(only, nested + 1) : { exitCode: null, output: joined(values) };
}

function fromObject(raw: Raw, nested: number): QueueResponse {
  const fields = new Map(
    Object.entries(raw).map(([name, value]) => [name.toLowerCase().replaceAll(/[^a-z]/g, ''), value]),
  );
  const codes = EXIT_CODE_FIELDS.map((name) => exitCodeOf(fields.get(name)));
  const code = codes.find((known) => known !== null) ?? null;
  const inner = code === null ? fields.get('response') : undefined;
  if (inner !== null && typeof inner === 'object' && nested < MOST_NESTED) {
    return queueResponse(inner, nested + 1) ?? { exitCode: code, output: null };
  }
  return { exitCode: code, output: joined(OUTPUT_FIELDS.map((name) => fields.get(name))) };
}

function exitCodeOf(value: unknown): number | null {
  if (typeof value === 'number') return exitCode(value);
  return typeof value === 'string' && EXIT_CODE.test(value) ? exitCode(Number(value)) : null;
}

/** The words among the values, one below the other. */
function joined(values: readonly unknown[]): string | null {
  const words = values.filter((value) => typeof value === 'string' && value.trim() !== '');
  return words.length === 0 ? null : words.join('\n');
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
