/** `packages`: the software of one device, what waits to be installed first. */

import type { z } from 'zod';
import { collectRows } from '../fleet/collect-rows.ts';
import { countSeverities, packageState } from '../fleet/software.ts';
import type { DeviceId } from '../ids.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead, type Typed } from './define.ts';
import { deviceForm } from './forms/device-form.ts';
import { extraWord } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import { listInput } from './lists/input.ts';
import { FIRST, frozen, lineOf, pageOf } from './lists/paging.ts';
import type { Whole } from './lists/results.ts';
import { lookOnly } from './look-only.ts';
import {
  bareCves,
  type PackageQuery,
  packageQuery,
  packageQuestion,
  readPackageFilters,
  SEVERITY_WORDS,
} from './software/packages-filters.ts';
import { selectPackages } from './software/packages-select.ts';
import { type DeviceRef, deviceRef, PERSON, viewOfDevice } from './targets/resolve.ts';

const input = packageQuery.extend({ device: deviceRef, ...listInput.shape });
type Input = z.infer<typeof input>;

const PAGE_SIZE = 15;

export const packages = defineRead<Input>({
  name: 'packages',
  usage:
    'packages NAME|#ID [words] [is:missing|deferred|ignored|pending|installed|all] ' +
    `[severity:${SEVERITY_WORDS.join('|')}] [cve:CVE-…] [sort:severity|name|installed]`,
  summary: 'List the missing patches of a device, or its packages by name, state, severity or CVE.',
  examples: [
    'packages web-01',
    'packages web-01 openssl',
    'packages web-01 severity:critical,high',
    'packages web-01 is:all sort:name',
  ],
  input,
  form: deviceForm({ command: 'packages', title: 'Device packages', submit: 'Show', keeps: true }),
  parse,
  run: async (asked, page, ports) => {
    const { device, result, ...query } = await whoseName(asked, ports);
    const again = (id: DeviceRef) => ({ command: 'packages', input: { device: id, ...query } });
    return viewOfDevice({ device, again }, ports, (id) => list(id, { query, result }, page, ports));
  },
});

/** The first word is the device, the others are looked for in its packages. */
function parse(words: Words): Typed<Input> {
  const extra = extraWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const read = readPackageFilters(words.filters);
  if (read.kind === 'fault') return read;
  const cves = bareCves(words.free);
  if (cves.kind === 'fault') return cves;
  const query = { ...read.input, filters: [...read.input.filters, ...cves.input.filters] };
  const [device, ...rest] = cves.input.words;
  if (device === undefined) {
    return { kind: 'fault', fault: { kind: 'missing', what: 'Which device?', given: query } };
  }
  return { kind: 'input', input: { device, words: rest, ...query } };
}

/** A name of several words needs no quotes where they are the name of a device as they stand. */
async function whoseName(asked: Input, { inventory }: ReadPorts): Promise<Input> {
  if (typeof asked.device === 'number' || asked.words.length === 0) return asked;
  const whole = [asked.device, ...asked.words].join(' ');
  const found = await inventory.find(whole, { ...PERSON, exact: true });
  return found.kind === 'none' ? asked : { ...asked, device: whole, words: [] };
}

type Query = { readonly query: PackageQuery; readonly result: string | undefined };

async function list(id: DeviceId, { query, result }: Query, page: number, ports: ReadPorts): Promise<View> {
  const { results, pageSize: size = PAGE_SIZE } = ports;
  const found = await frozen(results.packages, size, { result }, ports, () => read(id, query, ports));
  // What the reader may ask for is of now, whenever the list was read.
  return { ...pageOf(found, page, size), ...(await lookOnly(ports)) };
}

async function read(id: DeviceId, query: PackageQuery, ports: ReadPorts): Promise<Whole<'packages'>> {
  const { fleet, inventory, clock, misses } = ports;
  const now = clock.now();
  const [device, rows] = await Promise.all([
    fleet.device(id, PERSON),
    collectRows(fleet.packages(id, PERSON)),
  ]);
  inventory.learn(device);
  inventory.learnPackages(rows.map(({ name }) => name));
  misses.learn(id, rows, now);
  const selected = selectPackages(rows, query, now);
  const states = Map.groupBy(rows, (item) => packageState(item, now));
  const question = packageQuestion(query);
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
    other: { command: 'packages', input: { device: id, filters: isDefault ? EVERYTHING : [] } },
    paging: {
      command: 'packages',
      input: { device: id, ...query },
      ...(isDefault ? {} : lineOf('packages', `#${id} ${question}`)),
      ...FIRST,
      total: selected.length,
      asOf: now,
    },
  };
}

const EVERYTHING = [{ key: 'is', value: 'all', negated: false }];
