/** What a device misses as text in the store, and back. What does not fit is left out: it is read again when asked for. */
import { instant } from '../clock.ts';
import { json } from './kept.ts';
import type { Missed, MissedEntry } from './missing-book.ts';

/** The form of the text: another one is not read. */
const FORM = 1;

export function writeMisses({ asOf, packages }: MissedEntry): string {
  return JSON.stringify([FORM, asOf, packages.map(fieldsOf)]);
}

const fieldsOf = (item: Missed) => [
  item.name,
  item.displayName,
  item.version,
  item.severity,
  item.cves,
  item.exploitedCves,
];
const FIELDS = 6;

/** Null for a text that says no such thing, one of its packages included. */
export function readMisses(body: string): MissedEntry | null {
  const list = json(body);
  if (!Array.isArray(list)) return null;
  const [form, asOf, rows]: readonly unknown[] = list;
  if (form !== FORM || !isWhole(asOf) || !Array.isArray(rows)) return null;
  const packages: Missed[] = [];
  for (const row of rows) {
    const item = readOne(row);
    if (item === null) return null;
    packages.push(item);
  }
  return { asOf: instant(asOf), packages };
}

/** By hand, as the rows of devices are: a start reads some hundred thousand of them. */
function readOne(row: unknown): Missed | null {
  if (!Array.isArray(row) || row.length !== FIELDS) return null;
  const [name, displayName, version, severity, cves, exploitedCves]: readonly unknown[] = row;
  if (typeof name !== 'string' || typeof displayName !== 'string') return null;
  if (!isText(version) || !isText(severity) || !isWords(cves) || !isWords(exploitedCves)) return null;
  return { name, displayName, version, severity, cves, exploitedCves };
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';
const isWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((word) => typeof word === 'string');
