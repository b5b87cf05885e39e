/** `packages`: lists the software of one device, missing patches first. */

import type { z } from 'zod';
import {
  countSeverities,
  hasSeverity,
  type PackageState,
  packageState,
  severityRank,
} from '../fleet/model/derived-fields.ts';
import type { Package } from '../fleet/model/resources.ts';
import { collectRows } from '../fleet/reads/read-helpers.ts';
import type { Instant } from '../lib/clock.ts';
import type { DeviceId } from '../lib/ids.ts';
import { compareNames, fold } from '../lib/text.ts';
import type { PackagesView } from '../views/software/package-list.ts';
import type { View } from '../views/views.ts';
import type { ReadPorts, TypedInput } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import { readOnlyNotice } from './core/reader-rights.ts';
import { deviceForm } from './forms/subject-forms.ts';
import { cachedOrRead, listInput, viewPage, wholePaging } from './lists/paging.ts';
import { defineResultList } from './lists/result-cache.ts';
import { hasCve } from './parser/missing-target.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unexpectedWord } from './parser/usage-errors.ts';
import {
  bareCves,
  type PackageFilter,
  type PackageQuery,
  packageQuery,
  packageQueryText,
  readPackageFilters,
  SEVERITY_NAMES,
} from './software/package-filters.ts';
import { type DeviceRef, deviceRef, PERSON_PRIORITY, viewForDevice } from './targets/resolve-device.ts';

const input = packageQuery.extend({ device: deviceRef, ...listInput.shape });
type Input = z.infer<typeof input>;

const packagePages = defineResultList<PackagesView>(15);

export const packagesCommand = defineReadCommand<Input>({
  name: 'packages',
  usage:
    'packages NAME|#ID [words] [is:missing|deferred|ignored|pending|installed|all] ' +
    `[severity:${SEVERITY_NAMES.join('|')}] [cve:CVE-…] [sort:severity|name|installed]`,
  summary: 'List the missing patches of a device, or its packages by name, state, severity or CVE.',
  examples: [
    'packages web-01',
    'packages web-01 openssl',
    'packages web-01 severity:critical,high',
    'packages web-01 is:all sort:name',
  ],
  input,
  form: deviceForm({ command: 'packages', title: 'Device packages', submit: 'Show', carriesInput: true }),
  parse,
  run: async (input, page, ports) => {
    const { device, result, ...query } = await nameOfDevice(input, ports);
    const again = (id: DeviceRef) => ({ command: 'packages', input: { device: id, ...query } });
    return viewForDevice({ device, again }, ports, (id) => listPackages(id, query, { result }, page, ports));
  },
});

/** The first word is the device; the others are searched in its packages. */
function parse(words: LineWords): TypedInput<Input> {
  const extra = unexpectedWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const read = readPackageFilters(words.filters);
  if (read.kind === 'fault') return read;
  const cves = bareCves(words.free);
  if (cves.kind === 'fault') return cves;
  const query = { ...read.input, filters: [...read.input.filters, ...cves.input.filters] };
  const [device, ...rest] = cves.input.words;
  if (device === undefined) {
    return { kind: 'fault', fault: { kind: 'missing', what: 'Which device?', prefill: query } };
  }
  return { kind: 'input', input: { device, words: rest, ...query } };
}

/** A device name of several words needs no quotes if all words together are the name. */
async function nameOfDevice(input: Input, { inventory }: ReadPorts): Promise<Input> {
  if (typeof input.device === 'number' || input.words.length === 0) return input;
  const fullName = [input.device, ...input.words].join(' ');
  const found = await inventory.find(fullName, { ...PERSON_PRIORITY, exact: true });
  return found.kind === 'none' ? input : { ...input, device: fullName, words: [] };
}

async function listPackages(
  id: DeviceId,
  query: PackageQuery,
  { result }: Pick<Input, 'result'>,
  page: number,
  ports: ReadPorts,
): Promise<View> {
  const found = await cachedOrRead(packagePages, { result }, ports, () => readPackages(id, query, ports));
  // The reader's rights are checked now, even for a cached list.
  return { ...viewPage(found, page), ...(await readOnlyNotice(ports)) };
}

async function readPackages(id: DeviceId, query: PackageQuery, ports: ReadPorts): Promise<PackagesView> {
  const { fleet, inventory, clock, missingPatches } = ports;
  const now = clock.now();
  const [device, rows] = await Promise.all([
    fleet.device(id, PERSON_PRIORITY),
    collectRows(fleet.packages(id, PERSON_PRIORITY)),
  ]);
  inventory.learnDevice(device);
  inventory.learnPackages(rows.map(({ name }) => name));
  missingPatches.learnPackages(id, rows, now);
  const selected = selectPackages(rows, query, now);
  const states = Map.groupBy(rows, (item) => packageState(item, now));
  const question = packageQueryText(query);
  const isDefault = question === '';
  return {
    kind: 'packages',
    device,
    question,
    isDefault,
    rows: selected,
    counts: {
      missing: states.get('missing')?.length ?? 0,
      deferred: states.get('deferred')?.length ?? 0,
      ignored: states.get('ignored')?.length ?? 0,
      installed: states.get('installed')?.length ?? 0,
    },
    severities: countSeverities(states.get('missing') ?? []),
    other: { command: 'packages', input: { device: id, filters: isDefault ? NO_QUERY : [] } },
    paging: wholePaging('packages', { device: id, ...query }, isDefault ? '' : `#${id} ${question}`, {
      total: selected.length,
      asOf: now,
    }),
  };
}

const NO_QUERY = [{ key: 'is', value: 'all', negated: false }];

/** Packages that need action come first. */
const STATE_OF_FILTER: readonly PackageState[] = ['missing', 'deferred', 'ignored', 'installed'];

type Matcher = (item: Package) => boolean;

/** Several filters of one key mean any of them. Without a state, name or CVE: what is not installed. */
export function selectPackages(
  rows: readonly Package[],
  { words, filters, sort }: PackageQuery,
  now: Instant,
): readonly Package[] {
  const all: Matcher[] = words.map((word) => hasWord(fold(word)));
  for (const [, ofKey] of Map.groupBy(filters, ({ key }) => key)) {
    const [required, excluded] = [ofKey.filter((one) => !one.negated), ofKey.filter((one) => one.negated)];
    if (required.length > 0) all.push((item) => required.some((one) => passesFilter(one, item, now)));
    all.push((item) => !excluded.some((one) => passesFilter(one, item, now)));
  }
  const namesState = filters.some(({ key }) => key === 'is');
  const looksFor = words.length > 0 || filters.some(({ key }) => key === 'cve');
  if (!namesState && !looksFor) all.push((item) => !item.installed);
  return rows.filter((item) => all.every((fits) => fits(item))).toSorted(packageOrder(sort, now));
}

function hasWord(word: string): Matcher {
  return ({ name, displayName, version }) =>
    [name, displayName, version ?? ''].some((text) => fold(text).includes(word));
}

function passesFilter({ key, value }: PackageFilter, item: Package, now: Instant): boolean {
  switch (key) {
    case 'is':
      if (value === 'all') return true;
      return value === 'pending' ? !item.installed : packageState(item, now) === value;
    case 'severity':
      if (value === 'unstated') return item.severity === null || item.severity === '';
      return hasSeverity(item, [value === 'none' ? 'no_known_cves' : value]);
    case 'cve':
      return hasCve(item, value);
  }
}

function packageOrder(sort: PackageQuery['sort'], now: Instant): (a: Package, b: Package) => number {
  const byState = (a: Package, b: Package) => stateRank(a, now) - stateRank(b, now);
  const bySeverity = (a: Package, b: Package) => severityRank(a.severity) - severityRank(b.severity);
  const byName = (a: Package, b: Package) => compareNames(a.displayName, b.displayName) || a.id - b.id;
  switch (sort) {
    case null:
      return (a, b) => byState(a, b) || bySeverity(a, b) || byName(a, b);
    case 'severity':
      return (a, b) => bySeverity(a, b) || byState(a, b) || byName(a, b);
    case 'name':
      return byName;
    case 'installed':
      return (a, b) => Number(b.installed) - Number(a.installed) || byState(a, b) || byName(a, b);
  }
}

function stateRank(item: Package, now: Instant): number {
  return STATE_OF_FILTER.indexOf(packageState(item, now));
}
