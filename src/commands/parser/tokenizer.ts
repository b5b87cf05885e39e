/**
 * Text to words: pure, total, and bounded. Knows nothing of commands; what the words mean is each command's
 * own business. The grammar: words, "quoted words", `key:value` or `key:"quoted value"` (negated by `-`),
 * `-flags`, `or` between two filters, and `because`, after which everything is the reason. An `or` between two words is
 * a word: a device may be so named.
 */
import { straightenQuotes, stripControls } from '../../lib/text.ts';
import type { UsageFault } from '../../views/views.ts';
import { unwrapSlackText } from './slack-text.ts';

export type FilterToken = {
  /** In lower case. */
  readonly key: string;
  readonly value: string;
  readonly negated: boolean;
  /** The whole part as it was typed. */
  readonly text: string;
  /** Stands after the filter before it and an `or`: either of the two. */
  readonly or?: true;
  /** Of a saved target: it selects devices, whatever else its key sets in the command. */
  readonly saved?: true;
};

export type LineWords = {
  /** Free words and quoted strings, in order. */
  readonly free: readonly string[];
  /** `key:value` parts; `-key:value` is negated. */
  readonly filters: readonly FilterToken[];
  /** Unquoted words that begin with a dash and are no filter, such as `--all`; and an `or` between a filter and a word. */
  readonly flags: readonly string[];
  /** What followed `because`; empty when nothing did. */
  readonly reason: string | null;
  /** The reason stands in quotes: nothing in it is meant as an option. */
  readonly reasonQuoted?: true;
  /** The whole line, plain, for commands that keep text; absent where nobody typed it. */
  readonly line?: string;
};

export type TokenizedLine =
  | { readonly kind: 'words'; readonly words: LineWords }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** Our own limit: a line that a person types is far shorter. */
export const MAX_LINE_LENGTH = 2_000;
const MAX_QUOTED_LENGTH = 40;

/** Reads what somebody typed after the root command. Never throws. */
export function tokenizeTyped(text: string): TokenizedLine {
  return text.length > MAX_LINE_LENGTH ? tooLong(text) : splitLine(plainLine(text));
}

/** Typed text on one line, with what Slack and keyboards did to it undone. */
export function plainLine(text: string): string {
  return stripControls(pastedAsList(straightenQuotes(unwrapSlackText(text)))).trim();
}

const HEAD = /^(\s*\S+)\s+(.*?)(\sbecause\s.*)?$/is;
/** What line breaks and semicolons part, but for those in quotes. */
const ITEM = /(?:"[^"]*"|'[^']*'(?=[\s,]|$)|&[a-z]+;|[^;\r\n])+/g;
const BULLET = /^\s*(?:[-*•]\s+)?/;

/** A pasted column with commas between its names, which are whole lines, so that commands read it as a list. */
function pastedAsList(text: string): string {
  const [, command = '', listed = '', reason = ''] = HEAD.exec(text) ?? [];
  const lines = listed.match(ITEM) ?? [];
  const items = lines.map((line) => line.replace(BULLET, '').trimEnd());
  const [first, ...others] = items.filter((item) => item !== '');
  if (first === undefined || lines.join('') === listed) return text;
  if (others.length === 0) return `${command} ${first}${reason}`;
  const list = others.reduce((line, item) => {
    const isName = matchAt(KEY, item, 0) === null && !/(?:^|\s)-?[a-z_-]+:|,$/i.test(line);
    return `${line}${isName ? ', ' : ' '}${nameOfLine(item)}`;
  }, nameOfLine(first));
  return `${command} ${list}${reason}`;
}

function nameOfLine(item: string): string {
  return /^[^",:]* [^",:]*$/.test(item) ? quoted(item) : item;
}

/** The same as {@link tokenizeTyped} for a line that is plain: undoing twice would change what was quoted. */
export function tokenizeLine(line: string): TokenizedLine {
  return line.length > MAX_LINE_LENGTH ? tooLong(line) : splitLine(line);
}

function tooLong({ length }: string): TokenizedLine {
  return { kind: 'fault', fault: { kind: 'too-long', length, limit: MAX_LINE_LENGTH } };
}

type QuotedWord =
  | { readonly kind: 'word'; readonly value: string; readonly end: number }
  | { readonly kind: 'open'; readonly near: string };

const SPACES = / */y;
const BECAUSE = /because(?= |$)/iy;
const KEY = /(-?)([a-z][a-z_-]*):/iy;
const OR = /or(?= |$)/iy;

function splitLine(line: string): TokenizedLine {
  const free: string[] = [];
  const filters: FilterToken[] = [];
  const flags: string[] = [];
  let last: 'filter' | 'or' | 'other' = 'other';
  for (let at = skipAt(SPACES, line, 0); at < line.length; at = skipAt(SPACES, line, at)) {
    const because = matchAt(BECAUSE, line, at);
    if (because) {
      const typed = line.slice(at + because[0].length).trim();
      const bare = stripQuotes(typed);
      const quoted = bare === typed ? {} : ({ reasonQuoted: true } as const);
      const reason = bare.replace(/ +/g, ' ');
      return { kind: 'words', words: { free, filters, flags, reason, ...quoted } };
    }
    const joins = orAt(line, at, last === 'filter');
    if (joins !== 'word') {
      if (joins === 'alone') flags.push(line.slice(at, at + OR_LENGTH));
      last = joins === 'filters' ? 'or' : 'other';
      at += OR_LENGTH;
      continue;
    }
    const key = matchAt(KEY, line, at);
    const valueTaken = key ? takeValue(line, at + key[0].length) : takeWord(line, at);
    if (valueTaken.kind === 'open')
      return { kind: 'fault', fault: { kind: 'open-quote', near: valueTaken.near } };
    const text = line.slice(at, valueTaken.end);
    if (key) {
      const or = last === 'or' ? ({ or: true } as const) : {};
      const name = (key[2] ?? '').toLowerCase();
      filters.push({ key: name, value: valueTaken.value, negated: key[1] === '-', text, ...or });
    } else if (text.startsWith('-')) flags.push(text);
    else if (valueTaken.value === '') return { kind: 'fault', fault: emptyWord(text) };
    else free.push(valueTaken.value);
    last = key ? 'filter' : 'other';
    at = valueTaken.end;
  }
  return { kind: 'words', words: { free, filters, flags, reason: null } };
}

/** Taken as no word, an empty name of a package would stand for all packages. */
function emptyWord(word: string): UsageFault {
  return { kind: 'bad-value', word, expected: 'a word between the quotes' };
}

const OR_LENGTH = 2;

/** What an `or` at `at` stands between: two filters, a filter and something else, or words, where it is one too. */
function orAt(line: string, at: number, afterFilter: boolean): 'filters' | 'alone' | 'word' {
  if (matchAt(OR, line, at) === null) return 'word';
  const beforeFilter = matchAt(KEY, line, skipAt(SPACES, line, at + OR_LENGTH)) !== null;
  if (afterFilter && beforeFilter) return 'filters';
  return afterFilter || beforeFilter ? 'alone' : 'word';
}

/** The values of a filter: commas part them, but for those in quotes. */
export function commaValues({ value, text }: Pick<FilterToken, 'value' | 'text'>): readonly string[] {
  const typed = text.slice(text.indexOf(':') + 1);
  const taken = takeValues(typed, 0);
  return /["']/.test(typed) && taken.kind === 'values' ? taken.values : value.split(',');
}

/** A word as it would be typed, so that it is read as that word again. */
export function quoteWord(word: string): string {
  const isPlain =
    /^[^\s'"`-][^\s]*$/.test(word) && matchAt(KEY, word, 0) === null && !/^because$/i.test(word);
  return isPlain ? word : quoted(word);
}

/** A value right after a filter's colon as it would be typed. */
export function quoteValue(value: string): string {
  return value !== '' && !/[\s,'"`]/.test(value) ? value : quoted(value);
}

function quoted(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

/** The word at `at`: up to the closing quote if it opens with one, else up to the next space. */
function takeWord(line: string, at: number): QuotedWord {
  const quote = quoteAt(line, at);
  if (quote === null) {
    const space = line.indexOf(' ', at);
    const end = space === -1 ? line.length : space;
    return { kind: 'word', value: line.slice(at, end), end };
  }
  const close = closing(line, at, quote);
  if (close === -1) return { kind: 'open', near: line.slice(at, at + MAX_QUOTED_LENGTH) };
  return { kind: 'word', value: line.slice(at + 1, close).trim(), end: close + 1 };
}

function takeValue(line: string, at: number): QuotedWord {
  const taken = takeValues(line, at);
  if (taken.kind === 'open') return taken;
  return { kind: 'word', value: taken.values.join(','), end: taken.end };
}

type Values = { readonly kind: 'values'; readonly values: readonly string[]; readonly end: number };

/** The values at `at`, up to a space. Commas part them, and each may stand in quotes: `"Linux servers",Kiosks`. */
function takeValues(line: string, start: number): Values | Extract<QuotedWord, { kind: 'open' }> {
  const values: string[] = [];
  for (let at = start; ; at += 1) {
    const quote = quoteAt(line, at);
    if (quote !== null) {
      const close = closing(line, at, quote, VALUE_END);
      if (close === -1) return { kind: 'open', near: line.slice(at, at + MAX_QUOTED_LENGTH) };
      values.push(line.slice(at + 1, close).trim());
      at = close + 1;
    } else {
      const end = at + line.slice(at).search(UNQUOTED_END);
      values.push(...line.slice(at, end).split(','));
      at = end;
    }
    if (line[at] !== ',') return { kind: 'values', values, end: at };
  }
}

/** A single quote inside a word is an apostrophe, so only one at a word's end closes. */
const WORD_END = /'(?= |$)/;
const VALUE_END = /'(?=[ ,]|$)/;
/** Also before a comma and a value in quotes. */
const UNQUOTED_END = / |$|,(?="|'[^']*'(?:[ ,]|$))/;

/** The quote that opens a word here. A name copied from a message may have the marks of code, which else are characters. */
function quoteAt(line: string, at: number): string | null {
  const sign = line.charAt(at);
  if (sign === '`') return /^`[^`]+`(?=[ ,]|$)/.test(line.slice(at)) ? sign : null;
  return sign === '"' || sign === "'" ? sign : null;
}

function closing(line: string, at: number, quote: string, end = WORD_END): number {
  if (quote !== "'") return line.indexOf(quote, at + 1);
  const inside = line.slice(at + 1).search(end);
  return inside === -1 ? -1 : at + 1 + inside;
}

function matchAt(pattern: RegExp, line: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(line);
}

function skipAt(pattern: RegExp, line: string, at: number): number {
  return at + (matchAt(pattern, line, at)?.[0].length ?? 0);
}

/** Without one pair of quotes around the whole. */
function stripQuotes(text: string): string {
  const inner = /^"([^"]*)"$/.exec(text)?.[1] ?? /^'([^']*)'$/.exec(text)?.[1];
  return inner === undefined ? text : inner.trim();
}
