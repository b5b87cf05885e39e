/** Checks values against the types of the coverage table, in each profile's spelling. */
import type { ProfileName } from '../interface/row-types.ts';
import { isObject } from './json-fields.ts';

const DEVICE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/;
const QUEUE_TIME = { documented: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, live: DEVICE_TIME };
const EVENT_TIME = {
  documented: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/,
  live: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
};

const LOGON_TIME = {
  documented: DEVICE_TIME,
  live: /^(\d+\/\d+\/\d{4} \d+:\d\d:\d\d [AP]M|\d{4}-\d\d-\d\d \d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00)$/,
};

const listOf = (value: unknown, test: (item: unknown) => boolean) =>
  Array.isArray(value) && value.every(test);
const isText = (value: unknown) => typeof value === 'string';
const isTextLike = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);

const TESTS: Readonly<Record<string, (profile: ProfileName) => (value: unknown) => boolean>> = {
  integer: () => Number.isSafeInteger,
  number: () => Number.isFinite,
  string: () => isText,
  boolean: () => (value) => typeof value === 'boolean',
  array: () => Array.isArray,
  object: () => isObject,
  value: () => (value) => value !== null,
  integers: () => (value) => listOf(value, Number.isSafeInteger),
  strings: () => (value) => listOf(value, isText),
  digits: () => isTextLike(/^\d+$/),
  color: () => isTextLike(/^#[0-9a-f]{6}$/i),
  'device time': () => isTextLike(DEVICE_TIME),
  'queue time': (profile) => isTextLike(QUEUE_TIME[profile]),
  'logon time': (profile) => isTextLike(LOGON_TIME[profile]),
  'event time': (profile) => isTextLike(EVENT_TIME[profile]),
};

export type FieldTest = {
  readonly fits: (value: unknown) => boolean;
  readonly nullable: boolean;
  /** Observed to be missing, or to have another type where it is empty. */
  readonly loose: boolean;
};

export function fieldTest(type: string, profile: ProfileName): FieldTest {
  const loose = type.endsWith('?');
  const nullable = type.endsWith(' or null');
  const base = type.replace(/\?$| or null$/, '');
  const test = TESTS[base];
  if (test === undefined) throw new Error(`No such type: ${type}`);
  return { fits: test(profile), nullable, loose };
}
