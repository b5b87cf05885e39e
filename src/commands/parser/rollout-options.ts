/**
 * The options of a change of many devices: reserved `key:value` words before `because`, such as `waves:1,25%`. Pure.
 * A package that is called like one is put in quotes.
 */
import { z } from 'zod';
import { nearestNames } from '../../inventory/nearest-names.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock.ts';
import type { WaveSize } from '../../rollout/plan.ts';
import type { UsageFault } from '../../views/views.ts';
import type { TypedInput } from '../core/command.ts';
import type { FilterToken, LineWords } from './tokenizer.ts';
import { usageFault } from './usage-errors.ts';

export const OPTION_KEYS = ['waves', 'wait', 'brake', 'gate', 'offline'] as const;
type OptionKey = (typeof OPTION_KEYS)[number];

/** More waves than this are a list of devices. Our own limit. */
const MAX_WAVES = 20;
const MAX_DEVICES = 1_000_000;
const MAX_WAIT_MS = DAY;

const devices = z.int().min(1).max(MAX_DEVICES);
const percent = z.int().min(1).max(100);
const size = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('devices'), devices }),
  z.object({ kind: z.literal('share'), percent }),
]);

/** What was asked for; the planner knows what holds for the rest. */
export const rolloutOptions = z.object({
  waves: z.array(size).min(1).max(MAX_WAVES).exactOptional(),
  waitMs: z.int().min(0).max(MAX_WAIT_MS).exactOptional(),
  brake: size.exactOptional(),
  gate: z.enum(['auto', 'manual']).exactOptional(),
  offline: z.enum(['queue', 'skip']).exactOptional(),
});
export type RolloutOptions = z.infer<typeof rolloutOptions>;

type TakenOptions = {
  /** Absent: none was typed. */
  readonly rollout?: RolloutOptions;
  readonly words: LineWords;
};

/** The options among the words, and the words without them; or the first that does not fit. */
export function takeRolloutOptions(words: LineWords): TypedInput<TakenOptions> {
  const inReason = optionInReason(words);
  if (inReason !== null) return usageFault({ kind: 'option-in-reason', option: inReason });
  const typed = words.filters.filter(({ key, saved }) => isOptionKey(key) && saved !== true);
  if (typed.length === 0) return { kind: 'input', input: { words } };
  const rest = words.filters.filter((part) => !typed.includes(part));
  const joined = words.filters.find(
    (part, at) => part.or === true && [part, words.filters[at - 1]].some((one) => one && typed.includes(one)),
  );
  if (joined !== undefined) return usageFault(badOption(joined.text, 'an option without “or”'));
  let rollout: RolloutOptions = {};
  for (const part of typed) {
    if (part.negated) return usageFault(badOption(part.text, 'an option without “-”'));
    const key = part.key as OptionKey;
    if (typed.some((other) => other !== part && other.key === key))
      return usageFault(badOption(part.text, `“${key}:” only once`));
    const read = readOption(key, part);
    if (read.kind === 'fault') return read;
    rollout = { ...rollout, ...read.input };
  }
  return { kind: 'input', input: { rollout, words: { ...words, filters: rest } } };
}

/** Its value has to fit the option, too: packages have other words after a colon. */
export function misspelledOption(parts: readonly FilterToken[]): UsageFault | null {
  return parts.map(meantOption).find((fault) => fault !== null) ?? null;
}

function meantOption(part: FilterToken): UsageFault | null {
  const fits = (key: OptionKey) => readOption(key, part).kind === 'input';
  const nearest = part.saved === true ? [] : nearestNames(part.key, OPTION_KEYS);
  const meant = OPTION_KEYS.filter((key) => nearest.includes(key) && fits(key)).map((key) => `${key}:`);
  return meant.length === 0 ? null : unknownOption(part.text, meant);
}

function isOptionKey(key: string): key is OptionKey {
  return OPTION_KEYS.some((known) => known === key);
}

const OPTION = new RegExp(`(?:^| )(-?(?:${OPTION_KEYS.join('|')}):\\S+)`, 'i');

/** An option after `because` would be read by people, and by nothing else. */
function optionInReason({ reason, reasonQuoted }: LineWords): string | null {
  return reason === null || reasonQuoted === true ? null : (OPTION.exec(reason)?.[1] ?? null);
}

/** The option moved before `because`, and the reason in quotes. Empty where the line is not as expected. */
export function optionOrReason(line: string, option: string): readonly string[] {
  const [, head = '', reason = ''] = /^(.*? because) (.*)$/i.exec(line) ?? [];
  const at = ` ${reason} `.indexOf(` ${option} `);
  if (head === '' || at < 0) return [];
  const rest = `${reason.slice(0, at)}${reason.slice(at + option.length)}`.replace(/ +/g, ' ').trim();
  const before = head.slice(0, -' because'.length);
  const moved = `${before} ${option}${rest === '' ? '' : ` because ${rest}`}`;
  const quoted = reason.includes('"') ? [] : [`${head} "${reason}"`];
  return [moved, ...quoted];
}

function readOption(key: OptionKey, part: FilterToken): TypedInput<RolloutOptions> {
  const { value, text } = part;
  switch (key) {
    case 'waves':
      return readWaves(part);
    case 'wait': {
      const waitMs = readWait(value);
      return waitMs === null
        ? usageFault(badOption(text, 'a duration up to 24h, such as wait:10m'))
        : { kind: 'input', input: { waitMs } };
    }
    case 'brake': {
      const brake = readSize(value);
      return brake === null
        ? usageFault(badOption(text, 'devices or a share, such as brake:3 or brake:10%'))
        : { kind: 'input', input: { brake } };
    }
    case 'gate': {
      const gate = (['auto', 'manual'] as const).find((known) => known === value.toLowerCase());
      return gate === undefined
        ? usageFault(unknownOption(text, ['gate:manual', 'gate:auto']))
        : { kind: 'input', input: { gate } };
    }
    case 'offline': {
      const offline = (['queue', 'skip'] as const).find((known) => known === value.toLowerCase());
      return offline === undefined
        ? usageFault(unknownOption(text, ['offline:queue', 'offline:skip']))
        : { kind: 'input', input: { offline } };
    }
  }
}

/** Each wave says how much is done after it, so a smaller number after a larger one is a slip. */
function readWaves({ value, text }: FilterToken): TypedInput<RolloutOptions> {
  const typed = value.split(',').map((one) => one.trim());
  const waves: WaveSize[] = [];
  for (const one of typed) {
    const read = readSize(one);
    const last = waves.at(-1);
    if (read === null) return usageFault(badOption(text, 'devices and shares, such as waves:1,25%,100%'));
    if (last !== undefined && isSmaller(read, last))
      return usageFault(
        badOption(text, 'growing numbers: each says how much is done after its wave, such as waves:1,25%'),
      );
    if (last?.kind === 'share' && last.percent === 100)
      return usageFault(badOption(text, 'nothing after 100%, which is all devices'));
    waves.push(read);
  }
  if (waves.length > MAX_WAVES) return usageFault(badOption(text, `at most ${MAX_WAVES} waves`));
  return { kind: 'input', input: { waves } };
}

function isSmaller(size: WaveSize, last: WaveSize): boolean {
  if (size.kind === 'devices') return last.kind === 'devices' && size.devices <= last.devices;
  return last.kind === 'share' && size.percent <= last.percent;
}

const SIZE = /^([1-9]\d{0,6})(%?)$/;

function readSize(text: string): WaveSize | null {
  const [, digits, sign] = SIZE.exec(text) ?? [];
  if (digits === undefined) return null;
  const number = Number(digits);
  if (sign === '%') return number <= 100 ? { kind: 'share', percent: number } : null;
  return number <= MAX_DEVICES ? { kind: 'devices', devices: number } : null;
}

const WAIT = /^(\d{1,5})(s|m|h)$/i;
const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR };

function readWait(text: string): number | null {
  const [, digits, unit = ''] = WAIT.exec(text.trim()) ?? [];
  const ms = Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  return ms >= 0 && ms <= MAX_WAIT_MS ? ms : null;
}

/** The options as they would be typed; empty without any. */
export function rolloutOptionsText({ waves, waitMs, brake, gate, offline }: RolloutOptions): string {
  return [
    ...(waves === undefined ? [] : [`waves:${waves.map(sizeText).join(',')}`]),
    ...(waitMs === undefined ? [] : [`wait:${waitText(waitMs)}`]),
    ...(brake === undefined ? [] : [`brake:${sizeText(brake)}`]),
    ...(gate === undefined ? [] : [`gate:${gate}`]),
    ...(offline === undefined ? [] : [`offline:${offline}`]),
  ].join(' ');
}

function sizeText(size: WaveSize): string {
  return size.kind === 'devices' ? String(size.devices) : `${size.percent}%`;
}

function waitText(ms: number): string {
  const [unit, size] = ms % HOUR === 0 ? ['h', HOUR] : ms % MINUTE === 0 ? ['m', MINUTE] : ['s', SECOND];
  return `${ms / size}${unit}`;
}

function badOption(word: string, expected: string): UsageFault {
  return { kind: 'bad-value', word, expected };
}

function unknownOption(word: string, nearest: readonly string[]): UsageFault {
  return { kind: 'unknown-word', word, nearest, of: 'option' };
}
