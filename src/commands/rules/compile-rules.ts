/**
 * The rules of the configuration file, ready to be asked: the devices that each means are filters of `devices`, of those
 * facts alone that are read again at the send. Pure.
 */
import type { ApprovalRules, FileRule } from '../../config/rules-section.ts';
import { systemName } from '../../fleet/model/derived-fields.ts';
import { fold } from '../../lib/text.ts';
import type { People } from '../../rules/quorum.ts';
import type { Rule, RuleDevice, RuleGroup, RuleSet, RulesInForce } from '../../rules/rules.ts';
import { plainLine, tokenizeLine } from '../parser/tokenizer.ts';
import { type DeviceFilter, type Matcher, parseDeviceFilters } from '../targets/device-query.ts';
import { groupsMatching } from '../targets/resolve-group-or-policy.ts';
import { filterMatcher } from '../targets/select-devices.ts';

/** The admins may mend a rule that names a group which is gone. */
type FileRules = { readonly approvalRules: ApprovalRules; readonly roles: { readonly admin: People } };

export type CompiledRules =
  | { readonly kind: 'rules'; readonly inForce: RulesInForce }
  /** A line for each, with its place in the file. */
  | { readonly kind: 'faults'; readonly faults: readonly string[] };

export function compileRules({
  approvalRules: { rules, otherwise, timezone, digest },
  roles: { admin: admins },
}: FileRules): CompiledRules {
  const read = rules.map((rule) => ({ rule, filters: filtersOf(rule) }));
  const faults = read.flatMap(({ rule: { name, place }, filters }) =>
    'fault' in filters ? [`${place}: rule ${name}: ${filters.fault}`] : [],
  );
  if (faults.length > 0) return { kind: 'faults', faults };
  const isAdminNamed = admins.people.length + admins.userGroups.length > 0;
  const admin = { ...otherwise, quorums: [{ from: isAdminNamed ? admins : null, count: 1 }], reason: null };
  const sets = new WeakMap<readonly RuleGroup[], RuleSet>();
  const setOf = (groups: readonly RuleGroup[] | null): RuleSet => ({
    rules: read.map(({ rule, filters }) => ruleFor(rule, 'fault' in filters ? [] : filters, groups)),
    otherwise,
    admin,
  });
  const unknown = setOf(null);
  const setFor: RulesInForce['setFor'] = (groups) => {
    if (groups === null) return unknown;
    const made = sets.get(groups) ?? setOf(groups);
    sets.set(groups, made);
    return made;
  };
  const hasTimes = rules.some(({ time }) => time !== null);
  return { kind: 'rules', inForce: { digest, timezone, hasTimes, setFor } };
}

const KEYS: readonly string[] = ['group', 'os', 'tag'] satisfies DeviceFilter['key'][];
const ALLOWED = 'use group:, os: or tag:, such as group:Kiosks -tag:lab';

function filtersOf({ devices }: FileRule): readonly DeviceFilter[] | { readonly fault: string } {
  if (devices === null) return [];
  const read = tokenizeLine(plainLine(devices));
  if (read.kind === 'fault') return { fault: `a quotation mark in ${devices} isn’t closed` };
  const { free, filters, flags, reason } = read.words;
  const [word] = [...free, ...flags, ...(reason === null ? [] : ['because'])];
  if (word !== undefined) return { fault: `${word} is no filter; ${ALLOWED}` };
  const other = filters.find(({ key }) => !KEYS.includes(key));
  if (other !== undefined) return { fault: `${other.key}: doesn’t apply here; ${ALLOWED}` };
  const parsed = parseDeviceFilters(filters, []);
  const isFilled = parsed.kind === 'input' && parsed.input.filters.length > 0;
  return isFilled ? parsed.input.filters : { fault: `${devices} selects nothing; ${ALLOWED}` };
}

function ruleFor(
  rule: FileRule,
  filters: readonly DeviceFilter[],
  groups: readonly RuleGroup[] | null,
): Rule {
  const { name, kinds, atLeast, by, time, effect } = rule;
  const fields = { name, kinds, atLeast, by, time, effect };
  if (filters.length === 0) return { ...fields, devices: null, lostGroups: [] };
  const known = new Set(groups?.map(({ id }) => id));
  const lostGroups: string[] = [];
  const matcherOf = ({ key, value }: DeviceFilter): Matcher<RuleDevice> => {
    if (key === 'tag') return tagMatcher(fold(value));
    if (key === 'os') return systemMatcher(fold(value));
    if (groups === null) return () => null;
    const members = groupsMatching(value, groups);
    if (members.size === 0) lostGroups.push(value);
    return ({ groupId }) => (groupId === null || !known.has(groupId) ? null : members.has(groupId));
  };
  return { ...fields, devices: filterMatcher<RuleDevice, never>(filters, matcherOf), lostGroups };
}

function tagMatcher(wanted: string): Matcher<RuleDevice> {
  const fits = remembered((tag) => fold(tag) === wanted);
  return ({ tags }) => tags?.some(fits) ?? null;
}

function systemMatcher(text: string): Matcher<RuleDevice> {
  const fits = remembered((name) => fold(name).includes(text));
  return (device) => {
    const stated = [device.osFamily, device.osName, systemName(device)];
    if (stated.some((one) => one !== null && fits(one))) return true;
    return stated.every(Boolean) ? false : null;
  };
}

/** Thousands of devices have few tags and systems. */
function remembered(fits: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const answer = known.get(text) ?? fits(text);
    known.set(text, answer);
    return answer;
  };
}

/** The groups that rules name, by name or number. */
export function groupsNamed({ rules }: Pick<ApprovalRules, 'rules'>): readonly string[] {
  const filters = rules.flatMap((rule) => {
    const read = filtersOf(rule);
    return 'fault' in read ? [] : read;
  });
  return [...new Set(filters.flatMap(({ key, value }) => (key === 'group' ? [value] : [])))];
}
