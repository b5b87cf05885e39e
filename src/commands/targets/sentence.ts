/** What a sentence means, by the names of devices, users, groups, tags, systems and packages in it. */

import { groupLabel } from '../../fleet/model/derived-fields.ts';
import type { IndexedDevice } from '../../inventory/inventory.ts';
import type { NotDone } from '../../lib/not-done.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import { fold } from '../../lib/text.ts';
import type { Offer } from '../../views/models/problem-model.ts';
import type { Problem, View } from '../../views/views.ts';
import type { ReadPorts } from '../core/command.ts';
import { exclusionIn } from '../parser/exclusions.ts';
import { ASKING, EMPTY, KIND, leftOut, PERSON } from '../parser/left-out.ts';
import {
  listOfAll,
  notDone as notDoneIn,
  saidLine,
  topicLine,
  withoutCourtesy,
  withoutPoliteness,
} from '../parser/said-lines.ts';
import { unwrapSlackText } from '../parser/slack-text.ts';
import { timeAmong } from '../parser/time-words.ts';
import { quoteWord } from '../parser/tokenizer.ts';
import { DEVICE_WORD, deviceNamedBy, mentionsIn } from './device-mentions.ts';
import { type DeviceFilter, deviceQueryText, filterText, joinedByOr } from './device-query.ts';
import { deviceListOffer, PACKAGE_WAIT_MS } from './find-devices.ts';
import { type DeviceRef, PERSON_PRIORITY } from './resolve-device.ts';
import { filtersNamed } from './resolve-targets.ts';
import { type DeviceSelection, selectDevices } from './select-devices.ts';
import { joinNames } from './target-line.ts';

type NamePorts = Pick<ReadPorts, 'inventory' | 'clock' | 'missingPatches'>;

/** Words that are looked up: each takes 6 ms with 5,000 packages, and everybody waits meanwhile. */
const MAX_WORDS = 15;
/** No group that people speak of has more words in its name. */
const MAX_NAME = 4;

/** The changes that are asked for by their verb. */
const VERBS: readonly (readonly [said: RegExp, command: 'patch' | 'reboot' | 'scan' | 'silence'])[] = [
  [/^(?:re(?:boot|start)(?:ing)?|bounce|power ?cycle)\b/i, 'reboot'],
  [
    /^(?:(?:patch|install|updat|upgrad|deploy|push)(?:e|ing)?|apply|fix|remediate|mitigate|roll ?out)\b/i,
    'patch',
  ],
  [/^(?:re)?scan(?:ning)?\b/i, 'scan'],
  [/^(?:mute|snooze)(?: (?:all|the|any|alerts?|notifications?))*\b/i, 'silence'],
];
/** Of `schedule a reboot of web-01`. */
const ARRANGED =
  /^(?:schedule|request|do|run|start|begin) (?:an? |the )?(?=\w+ (?:of|on|for|all)\b|\w+ing\b)/i;
const WAVES = / in (\d|two|three|four|five) waves\b/i;
/** Of `to 10 laptops first`. */
const FIRST = /\b(\d{1,5}) (?=[\w ]+ first\b)| first\b/gi;
const NUMBERS: readonly string[] = ['two', 'three', 'four', 'five'];
const DURATION = / (?:for )?(\d+) ?(m|h|d)(?:in(?:ute)?s?|ours?|ays?)?\b/i;
/** Of `every kiosk`. */
const EVERY = /\b(?:every|each) (\w+[^s\W])(?!\w)/gi;
const FILTER_KEY = /\b(?:group|tag|os|user|device):/gi;
const MISSED = /\b(?:need|miss|lack)\w*/i;
const NO_NAME = new RegExp(`${FILTER_KEY.source}|${MISSED.source}`, 'gi');
const SEVERITY = /^(?:critical|high|medium|low)$/i;
const CVE = /^CVE-\d{4}-\d{4,}$/i;
const EVERYWHERE =
  /\b(?:everywhere|(?:on|to|across) (?:all|every|the whole|the entire|my|our)(?: (?:devices?|machines?|computers?|fleet))?)[\s.!]*$/i;
/** What no line says. */
const UNSAID =
  /\b(?:except|but|not|never|without|excluding|polic(?:y|ies)|(?:every|each) (?:day|night|week|month|\w+day))\b|n['’]t\b/i;
type Named = ReturnType<typeof nothingNamed>;

const nothingNamed = () => ({
  devices: [] as string[],
  /** Words by which devices are found, such as who is logged in. */
  owners: [] as string[],
  filters: [] as DeviceFilter[],
  packages: [] as string[],
  cves: [] as string[],
  severities: [] as string[],
  unknown: [] as string[],
  /** Whether it speaks of more than one device. */
  many: false,
  /** Whether the word stands after `and`: it belongs to no name before it. */
  begins: false,
});

/**
 * The line of the change that a sentence asks for, which is offered; null where some word stands for nothing. `asks`: it
 * may be asked which device is meant.
 */
export async function changeSaid(sentence: string, ports: NamePorts) {
  const [, asked = '', reason = ''] = /^(.*?)( because .*)?$/is.exec(withoutCourtesy(sentence)) ?? [];
  const before = exclusionIn(asked);
  const ordered = before?.from === 0 ? `${before.rest} except ${before.excluded}` : asked;
  const plain = withoutPoliteness(ordered).replace(ARRANGED, '');
  const [verb, command] = VERBS.find(([said]) => said.test(plain)) ?? [];
  if (verb === undefined) return null;
  const [, waves] = WAVES.exec(plain) ?? [];
  const [first] = [...plain.matchAll(FIRST)].flatMap(([, count]) => count ?? []);
  const [, length, unit] = DURATION.exec(plain) ?? [];
  const words = plain
    .replace(verb, '')
    .replace(WAVES, '')
    .replace(first === undefined ? '' : FIRST, '')
    .replace(command === 'silence' ? DURATION : '', '');
  const timed = timeAmong(words.trim().split(/\s+/));
  const { rest, out, isUnclear } = await withoutExcluded(timed?.rest.join(' ') ?? words.trim(), ports);
  const names = namesIn(rest.replace(FILTER_KEY, ' ').replace(EVERY, 'all $1s'));
  if (isUnclear || UNSAID.test(rest) || names.length > MAX_WORDS) return null;
  const named = await namedIn(names, ports);
  // What follows the command itself was read by it, and is unknown.
  if (named.unknown.length > 0 && plain.toLowerCase().startsWith(`${command} `)) return null;
  // One unknown word may be a package, or a device.
  if (named.unknown.length > 1 || named.unknown.some((one) => /^\d+$/.test(one))) return null;
  // Of all, and after a verb that takes no device, what is unknown is a package.
  const everywhere = EVERYWHERE.test(rest) || !/^(?:patch|update|upgrade|scan|re)/i.test(plain);
  if (named.filters.length === 0 && named.devices.length > 0) {
    // Of devices that are named one by one, no filter leaves any out.
    if (out.some(({ key }) => key !== 'device')) return null;
    named.devices = named.devices.filter((name) => !out.some(({ value }) => fold(value) === fold(name)));
    out.length = 0;
    if (named.devices.length === 0) return null;
  }
  const among = named.many ? NOBODY : await oneOf(named, ports);
  const [only, ...others] = among.devices;
  if (only !== undefined) named.filters = [];
  if (only !== undefined && others.length === 0) named.owners = [`#${only.id}`];
  const what =
    command === 'patch'
      ? await patchOf(named, everywhere, ports)
      : command === 'silence'
        ? scopeOf(named)
        : devicesOf(named);
  if (what === null) return null;
  const lasts = command === 'silence' && length !== undefined ? `for ${length}${unit}` : '';
  const sizes = first === undefined ? (waves === undefined ? '' : equalWaves(waves)) : `waves:${first}`;
  if (command === 'silence' && out.length > 0) return null;
  const parts = [command, what, queryOf([], out), lasts, sizes, timed?.when ?? ''];
  const line = parts.filter((part) => part !== '').join(' ') + reason;
  const asks = command !== 'silence' && named.filters.length === 0 && !what.startsWith('missing:');
  return { line, asks, among };
}

/** What lists devices by what is known of them. */
const FILTER_OFFERS: readonly Offer[] = ['pending', 'needs-reboot', 'noncompliant', 'offline'].map((value) =>
  deviceListOffer({ words: [], filters: [{ key: 'is', value, negated: false }] }),
);

/** The whole fleet, with the buttons that change it, answers no question about some of it. Null: it is another answer. */
export function unclearQuestion(word: string, line: string, unknownFilter: string | null): Problem | null {
  if (line !== 'devices' || unknownFilter === null) return null;
  const root = ROOT_COMMAND;
  return { kind: 'unknown-command', word, nearest: [], unknownFilter, offers: FILTER_OFFERS, root };
}

/** Asks what a change would do, or whether it may be made. */
const WEIGHED =
  /^(?:(?:can|could|should|may|shall|must) (?:i|we) |(?=(?:what|is|would|will|how|any|are)\b).*?\b(?=re(?:boot|start)ing|patching|updating|upgrading|scanning)|(?=.*\b(?:happens?|if|safe|risk\w*|ok(?:ay)?|fine|dangerous|impact|effects?|consequences?)\b).*?\b(?=(?:re(?:boot|start)|patch|updat|upgrad|scan)(?:e|ing)?\b))/i;
const WEIGHING =
  /(?: (?:do|mean|cause|affect|change|break|safely|safe|risky|ok(?:ay)?|(?:right )?now|right away|today|tonight))*[\s?!.]*$/i;

/** The line that explains the change that a question weighs; null: it weighs none. */
export async function explainedLine(sentence: string, ports: NamePorts): Promise<string | null> {
  const [asks = sentence] = WEIGHED.exec(sentence) ?? [];
  const said = await changeSaid(sentence.slice(asks.length).replace(WEIGHING, ''), ports);
  return said === null ? null : `explain ${said.line}`;
}

/**
 * A sentence without what it leaves out, and the filters for that; the whole where nothing in it is left out that has a
 * name. `isUnclear`: something is, and no filter says what.
 */
async function withoutExcluded(sentence: string, ports: NamePorts) {
  const exclusion = exclusionIn(sentence);
  const out = exclusion === null ? [] : await filtersOut(exclusion.excluded, ports);
  const isUnclear = exclusion?.isSure === true && out.length === 0;
  const rest = exclusion === null || (out.length === 0 && !isUnclear) ? sentence : exclusion.rest;
  return { rest, out, isUnclear };
}

/** None where a part of what is left out names anything but one thing, such as the laptops of a user who has several. */
async function filtersOut(excluded: string, ports: NamePorts): Promise<DeviceFilter[]> {
  const filters: DeviceFilter[] = [];
  for (const part of excluded.split(/,|\b(?:and|or|nor)\b/i).slice(0, MAX_WORDS)) {
    const named = await namedIn(namesIn(part.replace(NO_NAME, ' ')).slice(0, MAX_WORDS), ports);
    const packages = MISSED.test(excluded)
      ? [...named.cves, ...(await callingAll(named.packages, ports))]
      : [];
    const { devices } = await oneOf(named, ports);
    const found = [
      ...named.filters.map(({ key, value }) => leaving(key, value)),
      ...named.owners.map((value) => leaving('user', value)),
      ...named.devices.map((value) => leaving('device', value)),
    ];
    const [only] = devices.length === 1 && found.length > 1 ? devices : [];
    const one = only === undefined ? found : [leaving('device', `#${only.id}`)];
    const isNamed = packages.length > 0 || named.packages.length + named.cves.length === 0;
    if (!isNamed || one.length > 1 || named.unknown.length + named.severities.length > 0) return [];
    filters.push(...one, ...packages.map((value) => leaving('missing', value)));
  }
  return filters;
}

const leaving = (key: DeviceFilter['key'], value: string): DeviceFilter => ({ key, value, negated: true });

/** The devices of which one is meant, as the laptops of a user, and what finds them. */
export type Among = { readonly query: string; readonly devices: readonly IndexedDevice[] };
const NOBODY: Among = { query: '', devices: [] };

async function oneOf({ devices, owners, filters }: Named, { inventory, clock }: NamePorts): Promise<Among> {
  // Others that are named beside would be left out.
  if (owners.length !== 1 || devices.length > 0) return NOBODY;
  const query = { words: [], filters: [...usersFilters(owners), ...filters] };
  const found = selectDevices(await inventory.snapshot(PERSON_PRIORITY), query, clock.now());
  return found.kind === 'devices' ? { query: deviceQueryText(query), devices: found.devices } : NOBODY;
}

/** The devices of any of them. */
const usersFilters = (owners: readonly string[]): DeviceFilter[] =>
  owners.map((value, at) => ({ key: 'user', value, negated: false, ...(at === 0 ? {} : { or: true }) }));

const queryOf = (owners: readonly string[], filters: readonly DeviceFilter[]): string =>
  deviceQueryText({ words: [], filters: [...usersFilters(owners), ...filters] });

function scopeOf({ devices, filters, unknown }: Named): string | null {
  const [device] = devices;
  const [group] = filters;
  if (devices.length + filters.length !== 1 || unknown.length > 0) return null;
  return device === undefined ? filterText('group', group?.value ?? '') : `device:${quoteWord(device)}`;
}

/** Without devices: those that miss the packages. */
async function patchOf(named: Named, everywhere: boolean, ports: NamePorts): Promise<string | null> {
  const { packages, cves, severities, unknown } = named;
  const devices = devicesOf({ ...named, packages: [], cves: [], severities: [], unknown: [] });
  const chosen = severities.length === 0 ? [] : [`severity:${severities.join(',')}`];
  if (devices !== null && named.filters.length === 0)
    return [devices, ...chosen, ...[...packages, ...unknown, ...cves].map(quoteWord)].join(' ');
  if (devices !== null) {
    const missing = joinedByOr(cves.map((one) => filterText('missing', one)));
    return [...missing, devices, ...chosen, ...[...packages, ...unknown].map(quoteWord)].join(' ');
  }
  if (unknown.length > 0 && !everywhere) return packages.length + cves.length > 0 ? null : devicesOf(named);
  const names = [...cves, ...(await callingAll(packages, ports)), ...unknown];
  return names.length === 0
    ? null
    : [...joinedByOr(names.map((one) => filterText('missing', one))), ...chosen].join(' ');
}

/** The devices; null where nothing else names any, or more was said than such a change takes. */
function devicesOf({ devices, owners, filters, many, ...others }: Named): string | null {
  if ([others.packages, others.cves, others.severities].some((one) => one.length > 0)) return null;
  // Devices beside a group: no line selects both.
  if (many && devices.length > 0 && filters.length > 0) return null;
  const asQuery = filters.length > 0 && (many || (owners.length > 1 && devices.length === 0));
  const found = [...devices, ...(asQuery ? [] : owners)];
  if (found.length > 0) return others.unknown.length > 0 ? null : joinNames(found);
  if (filters.length === 0) return others.unknown.length === 1 ? others.unknown.join() : null;
  return others.unknown.length > 0 ? null : queryOf(owners, filters);
}

/** As cumulated shares: the last wave is the rest. */
function equalWaves(said: string): string {
  const number = NUMBERS.indexOf(said.toLowerCase());
  const count = number === -1 ? Number(said) : number + 2;
  const shares = Array.from(
    { length: Math.max(count - 1, 0) },
    (_, at) => `${Math.ceil(((at + 1) * 100) / count)}%`,
  );
  return shares.length === 0 ? '' : `waves:${shares.join(',')}`;
}

const namesIn = (text: string): readonly string[] =>
  [...unwrapSlackText(text).matchAll(DEVICE_WORD)].map(([word]) => word);

/** What the words name, the longest names first. */
async function namedIn(words: readonly string[], ports: NamePorts): Promise<Named> {
  const named = nothingNamed();
  for (let at = 0; at < words.length; ) {
    named.begins = /^(?:and|or)$/i.test(words[at - 1] ?? '');
    at += await nameAt(words.slice(at, at + MAX_NAME), named, ports);
  }
  return named;
}

/** Adds what the first of the words names, and says how many of them do. */
async function nameAt(words: readonly string[], named: Named, ports: NamePorts): Promise<number> {
  const [word = ''] = words;
  if (EMPTY.test(word)) return 1;
  if (SEVERITY.test(word)) named.severities.push(word.toLowerCase());
  // The severities that are called so, of which the form shows which they are.
  else if (/^security$/i.test(word)) named.severities.push('critical', 'high');
  else if (CVE.test(word)) named.cves.push(word);
  else return (await filterAt(words, named, ports)) ?? (await packageOrDeviceAt(words, named, ports));
  return 1;
}

async function filterAt(words: readonly string[], named: Named, ports: NamePorts): Promise<number | null> {
  const [word = ''] = words;
  const isKind = KIND.test(word);
  const isOfBefore = isKind && !named.begins && named.filters.length > 0;
  if (isKind) named.many ||= /s$/i.test(word);
  for (let count = words.length; count > 0; count -= 1) {
    // Of `the web servers`, the second word only says what the first selects.
    if (EMPTY.test(words[count - 1] ?? '') || (count === 1 && isOfBefore)) continue;
    const name = words.slice(0, count).join(' ');
    const [filter] = await filtersNamed(isKind && count === 1 ? name.replace(/s?$/i, 's') : name, ports);
    if (filter === undefined) continue;
    named.filters.push(filter);
    return count;
  }
  return isKind ? 1 : null;
}

async function packageOrDeviceAt(words: readonly string[], named: Named, ports: NamePorts): Promise<number> {
  const [word = '', next = ''] = words;
  const found = await ports.inventory.find(word, { ...PERSON_PRIORITY, exact: true });
  if (found.kind !== 'none') {
    const { devices } = await mentionsIn([word], ports);
    (devices.size > 0 ? named.devices : named.owners).push(word);
    return 1;
  }
  const [whole] = packagesCalled(`${word} ${next}`, ports);
  if (next !== '' && whole !== undefined) named.packages.push(whole);
  else named[packagesCalled(word, ports).length > 0 ? 'packages' : 'unknown'].push(word);
  return next !== '' && whole !== undefined ? 2 : 1;
}

/**
 * The device that the words name; else the line that shows what they mention, or a single word as a device. Only a device
 * where they begin with something like a command. What would change is never guessed.
 */
export async function devicesSaid(
  words: string,
  { word, nearest }: { readonly word: string; readonly nearest: readonly string[] },
  ports: NamePorts,
): Promise<{ readonly device: DeviceRef } | string | null> {
  const named = await deviceNamedBy(words, ports);
  if (named !== null) return { device: named };
  if (nearest.length > 0) return null;
  return (await lineOfMentions(words, ports)) ?? (words === word ? { device: word } : null);
}

/** A sentence with one of these asks what was done to a device. */
const PAST =
  /\b(?:why|when|did|was|were|been|fail(?:s|ed|ures?)?|asked|requested|approved|denied|(?:re)?tr(?:y|ied)|history|happened|alerts?|last|who \w+ed)\b/i;

/** What asks who uses a device. */
const USER =
  /\b(?:users?|use[ds]?|using|logged|log[- ]?(?:in|on)|sit(?:s|ting)?)\b|^who(?: is|['’]s| was) (?:on|at)\b/i;

/** Where the card of a device names no user, although that was asked. `needed`: the role that sees users; null: the service names none. */
export function unnamedUser(sentence: string, view: View, { personalFrom }: Pick<ReadPorts, 'personalFrom'>) {
  if (view.kind !== 'device' || !USER.test(sentence)) return null;
  if (personalFrom !== undefined) return { needed: personalFrom };
  const { lastLoggedInUser: user, detail } = view.device;
  return user || detail?.lastLogon?.user ? null : { needed: null };
}

/** What a sentence is about, and what shows it of a device. */
const PAGES: readonly (readonly [about: RegExp, line: string])[] = [
  [USER, 'device $'],
  [/\b(?:last (?:seen|contact|online)|check(?:ed)?[- ]in|offline|online)\b/i, 'device $'],
  [/\b(?:disks?|volumes?|storage|space)\b/i, 'device $ volumes'],
  [/\b(?:memory|ram|cpu|hardware|model)\b/i, 'device $ hardware'],
  [PAST, 'device $ timeline'],
  [/\b(?:software|installed|packages?|updates|patches|apps?|programs?|cves?|vulnerab\w+)\b/i, 'packages $'],
  [/(?:)/, 'device $'],
];

const isOfPage = (word: string): boolean => PAGES.slice(0, -1).some(([about]) => about.test(word));

const CHANGE = /\b(?:patch|install|updat|upgrad|re(?:boot|start)|scan)/i;

/**
 * Shows the card, timeline or list of the devices that it mentions; else those of a user, of whom a single one is meant; else
 * the package, or the devices of a group, tag or system.
 */
export async function lineOfMentions(sentence: string, ports: NamePorts): Promise<string | null> {
  const { rest, out } = await withoutExcluded(sentence, ports);
  const line = await lineOfNames(rest, ports);
  if (out.length === 0) return line;
  const { unknown } = await namedInLook(rest, ports);
  const isAll = unknown.every((word) => ASKING.test(word) || CHANGE.test(word));
  return line === null && !isAll ? null : leavingOut(line ?? 'devices', out);
}

const MISSING = /^missing (?:severity:)?/;

/** Only the list of devices takes filters. */
function leavingOut(line: string, out: readonly DeviceFilter[]): string {
  const list = line.replace(/^group /, 'devices group:').replace(MISSING, 'devices missing:');
  return out.length > 0 && list.startsWith('devices') ? `${list} ${queryOf([], out)}` : line;
}

async function lineOfNames(sentence: string, ports: NamePorts): Promise<string | null> {
  const { devices, others } = await mentionsIn([sentence], ports);
  if (devices.size > 1) return `devices ${joinedByOr([...devices.keys()].map((id) => `#${id}`)).join(' ')}`;
  const named = await namedInLook(sentence, ports);
  const { filters, unknown } = named;
  const owners = devices.size === 0 ? others : [];
  const among = await oneOf({ ...named, devices: [], owners }, ports);
  const [only] = among.devices.length === 1 ? among.devices : [];
  const [device = only && `#${only.id}`] = devices.values();
  const [owner] = owners;
  const one = device ?? owner;
  const isPast = one !== undefined && PAST.test(sentence);
  const name = isPast ? undefined : (named.packages[0] ?? softwareIn(unknown));
  if (one !== undefined && name !== undefined) return `packages ${quoteWord(one)} ${quoteWord(name)}`;
  const [, page = ''] = PAGES.find(([about]) => about.test(sentence)) ?? [];
  if (device !== undefined) return page.replace('$', () => quoteWord(device));
  if (owner !== undefined)
    return `devices ${filters.length > 0 ? queryOf(owners, filters) : joinedByOr(owners.map(quoteWord)).join(' ')}`;
  if (name !== undefined) return missingLine(name, filters, ports);
  const isChange = VERBS.some(([said]) => said.test(withoutPoliteness(sentence)));
  const [state] = /\b(?:online|offline|noncompliant|unmanaged|stale)\b/i.exec(sentence) ?? [];
  const about = state ? `devices is:${state.toLowerCase()}` : (topicLine(sentence) ?? 'devices');
  const list = about.replace(/^compliance/, 'devices is:noncompliant');
  if (list !== 'devices' && LIST.test(list) && !isChange && filters.length > 0)
    return narrowed(list, queryOf([], filters));
  const group = unknown.length === 0 || CHANGE.test(sentence) ? undefined : await groupOf(filters, ports);
  if (group !== undefined) return `group ${quoteWord(group)}`;
  // A number may belong to the name of a device that is mistyped.
  const isUnsure = filters.length === 0 || unknown.some((word) => /\d/.test(word));
  return isUnsure ? null : `devices ${queryOf(owners, filters)}`;
}

/** The only word that is left of a question about what is installed. */
function softwareIn(unknown: readonly string[]): string | undefined {
  const asksFor = /^(?:installed|versions?)$/i;
  const [name, ...others] = unknown.filter(
    (word) => ![ASKING, asksFor].some((one) => one.test(word)) && !isOfPage(word),
  );
  return others.length === 0 && unknown.some((word) => asksFor.test(word)) ? name : undefined;
}

/** Nothing in the fleet comes near to these, whatever a sentence about them names. */
const OF_PEOPLE: readonly NotDone[] = ['approval-rules', 'own-settings', 'stand-ins'];

type Asked = { readonly word: string; readonly notDone?: NotDone };

/** What comes nearest to what is not done here; `answers`: it is what was asked for. */
export async function lineBeside({ word: sentence, notDone }: Asked, ports: NamePorts) {
  if (OF_PEOPLE.some((one) => one === notDone)) return { line: null, answers: false };
  // Of `never patch db-01`, which names no device that is left out of others.
  const about = notDone === 'protect' ? withoutPoliteness(sentence).replace(/^\S+(?: not)? /, '') : sentence;
  const line = await lineOfMentions(about, ports);
  const isAll = notDone === 'exclusion' && listOfAll(sentence) !== null && line?.includes(' -') === true;
  const isOfDevice = notDone === 'installed' && line !== null && !/^(?:missing|devices missing:)/.test(line);
  if (notDone === 'speed') return { line, answers: line !== null };
  // A group or tag may be named so, such as `Printers`.
  if (notDone === 'beyond') return { line, answers: line !== null && notDoneIn(line) === 'beyond' };
  return { line: line ?? saidLine(sentence) ?? topicLine(sentence), answers: isAll || isOfDevice };
}

/** What approvals of a time may mean too. */
const WAITING: Offer = {
  kind: 'line',
  does: 'run',
  line: `${ROOT_COMMAND} approvals`,
  choice: { command: 'approvals', input: { mine: false } },
};

/** What to say beside the answer to a sentence: what its line leaves out, is not done, and another list that it may mean. */
export async function notesOn(sentence: string, line: string, ports: NamePorts) {
  // Such a line has the number of the device that a user has.
  const { others } = /#\d/.test(line) ? await mentionsIn([sentence], ports) : { others: [] };
  const shown = /^(?:device|packages) /.test(line) ? namesIn(sentence).filter(isOfPage) : [];
  const isOfTime = line.startsWith('audit') && /\b(?:approvals?|requests?)\b/i.test(sentence);
  const other = isOfTime ? WAITING : await listByName(line, ports);
  const offers = other === null ? {} : { offers: [other] };
  const [asks = ''] = line.startsWith('explain ') ? (WEIGHED.exec(sentence) ?? []) : [];
  const changes = asks === '' ? [] : namesIn(sentence).filter((word) => CHANGE.test(word));
  const unsaid = leftOut(sentence.slice(asks.length), line, [...others, ...shown, ...changes]);
  return { leftOut: unsaid, note: noteOn(sentence, line), ...offers };
}

/** What of the answer is not as it was asked for, in a sentence. */
function noteOn(sentence: string, line: string): NotDone | null {
  if (line.startsWith('audit') && PERSON.test(sentence)) return 'audit-person';
  if (line.includes(' is:stale')) return 'stale';
  return notDoneIn(sentence) === 'speed' ? 'speed' : null;
}

/** What a sentence names that only asks. */
const namedInLook = (sentence: string, ports: NamePorts): Promise<Named> =>
  namedIn(namesIn(sentence).slice(0, 2 * MAX_WORDS), ports);

/** The group that is the only filter. */
async function groupOf(filters: readonly DeviceFilter[], { inventory }: NamePorts) {
  const [filter] = filters;
  const { groups } = await inventory.snapshot(PERSON_PRIORITY);
  if (filters.length !== 1 || filter?.key !== 'group') return undefined;
  return [...groups.values()].map(groupLabel).find((label) => fold(label) === fold(filter.value));
}

/** Before packages are told by a part of their names: after a first start none is known, and later perhaps not all. */
async function readNames(names: readonly string[], { missingPatches }: NamePorts): Promise<void> {
  if (names.length > 0) await missingPatches.query({ groups: null, waitMs: PACKAGE_WAIT_MS, refresh: false });
}

async function callingAll(names: readonly string[], ports: NamePorts): Promise<readonly string[]> {
  await readNames(names, ports);
  return names.flatMap((one) => packagesCalled(one, ports));
}

/** Whatever of this name is missing: several packages may have it in theirs. */
async function missingLine(name: string, filters: readonly DeviceFilter[], ports: NamePorts) {
  await readNames([name], ports);
  const [first = name, ...more] = packagesCalled(name, ports);
  const isListed = more.length === 0 && filters.every(({ key }) => key === 'group');
  const missing = joinedByOr([first, ...more].map((one) => filterText('missing', one))).join(' ');
  const what = isListed ? `missing ${quoteWord(first)}` : `devices ${missing}`;
  return `${what} ${queryOf([], filters)}`.trim();
}

/** Where far more devices have the word in their names than the filter of a line selects: their list. */
export async function listByName(line: string, { inventory, clock }: NamePorts): Promise<Offer | null> {
  const [, key, value = ''] = /^\w+ (group|tag|os):("[^"]+"|\S+)/.exec(line) ?? [];
  if (key !== 'group' && key !== 'tag' && key !== 'os') return null;
  const word = value.replaceAll('"', '');
  const byName = { words: [word], filters: [] };
  const byFilter: DeviceSelection = { words: [], filters: [{ key, value: word, negated: false }] };
  const snapshot = await inventory.snapshot(PERSON_PRIORITY);
  const [named, selected] = [byName, byFilter].map((query) => selectDevices(snapshot, query, clock.now()));
  if (named?.kind !== 'devices' || selected?.kind !== 'devices' || named.isCloseMatch) return null;
  return named.devices.length > 2 * selected.devices.length ? deviceListOffer(byName) : null;
}

/** What answers a sentence for the whole fleet. */
const GENERAL = /^(?:alerts|approvals$|events name:patch-(?:failed|installed)|operations|policies|status)\b/;
/** A list that a group can narrow. */
const LIST = /^(?:devices|missing)\b/;
/** A group of which only the place in the sentence says that it is one. */
const GUESS = /(?<=^devices) group:".*"$/;

/** The line narrowed to the device, package, user or group that the sentence names; null: to none. */
export async function closerLine(sentence: string, line: string, ports: NamePorts) {
  if (LIST.test(line)) {
    const { rest, out } = await withoutExcluded(sentence, ports);
    const closer = await closerList(rest, line, ports);
    return out.length === 0 ? closer : leavingOut(closer ?? line, out);
  }
  const meant = GENERAL.test(line) ? await lineOfMentions(sentence, ports) : null;
  if (line === 'approvals') {
    const [, device] = /^(?:device|packages) ("[^"]+"|\S+)/.exec(meant ?? '') ?? [];
    // What is pending on a device are its patches.
    const command = /\bpending\b(?!.*\b(?:approv|request))/i.test(sentence) ? 'packages' : line;
    return device === undefined || !sentence.includes(device) ? null : `${command} ${device}`;
  }
  const fits = /^(?:policies|status)$/.test(line) ? /^(?:device|group) / : /^device .* timeline$/;
  return meant !== null && fits.test(meant) ? meant : null;
}

async function closerList(sentence: string, guessed: string, ports: NamePorts) {
  const line = guessed.replace(GUESS, '');
  const { devices, others } = await mentionsIn([sentence], ports);
  const isUnsaid = (value: string) => !fold(line).includes(fold(value));
  if ([...devices.values()].some(isUnsaid)) return lineOfMentions(sentence, ports);
  const named = await namedInLook(sentence, ports);
  if (line !== guessed && named.unknown.length > 0) return null;
  const filters = named.filters.filter(({ value }) => isUnsaid(value));
  const [, called = ''] = /^missing ([^:"]+)$/.exec(line) ?? [];
  const isKnown = packagesCalled(called, ports).length > 0;
  const sought = isKnown ? called : called.replace(NOUNS, '');
  const list = called === '' ? line : `missing ${sought}`;
  const isPart = !isKnown && sought.includes(' ') && isNamedIn(named);
  const isOfPackage = isPart || /^devices(?: is:pending)?$/.test(line);
  const name = isOfPackage ? named.packages[0] : /^\S+$/.exec(sought)?.[0];
  if (name !== undefined) {
    const closer = await missingLine(name, isPart ? named.filters : filters, ports);
    return fold(closer) === fold(line) ? null : closer;
  }
  const where = queryOf(others.filter(isUnsaid), filters);
  return where === '' && list === line ? null : narrowed(list, where);
}

/** The list of what is missing takes groups alone. */
function narrowed(line: string, where: string): string {
  const list = /\b(?:user|tag|os):/.test(where) ? line.replace(MISSING, 'devices missing:') : line;
  return `${list} ${where}`.trim();
}

/** What follows the name of a package. */
const NOUNS = /(?: (?:updates?|patch(?:es)?|packages?|versions?|software|fix(?:es)?))+$/i;

/** Whether only a part of the words is the name of a package, as of `openssl on kiosks`. */
const isNamedIn = ({ packages, unknown }: Named): boolean =>
  packages.length === 1 && unknown.every((word) => ASKING.test(word) || NOUNS.test(` ${word}`));

/** Words of sentences that stand in the names of packages too. */
const NO_PACKAGE =
  /^(?:.{1,2}|the|and|for|servers?|clients?|updates?|systems?|tools?|security|windows|linux)$/i;

/** The packages of this name; else those that have it in their name, as `GoogleChrome` has `chrome`. */
function packagesCalled(name: string, { inventory }: Pick<ReadPorts, 'inventory'>): readonly string[] {
  const labels = NO_PACKAGE.test(name)
    ? []
    : inventory.suggest('package', name, 10).map(({ label }) => label);
  const whole = labels.filter((label) => fold(label) === fold(name));
  if (whole.length > 0) return whole;
  const parts = (label: string) => label.split(/[^\p{L}\p{N}]|(?<=\p{Ll})(?=\p{Lu})/u).map(fold);
  return labels.filter((label) => parts(label).includes(fold(name)));
}
