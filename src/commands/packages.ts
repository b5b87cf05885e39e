/** `packages`: lists the software of one device, missing patches first. */
import type { z } from 'zod';
import { countSeverities, packageState } from '../fleet/model/derived-fields.ts';
import { collectRows } from '../fleet/reads/read-helpers.ts';
import type { DeviceId } from '../lib/ids.ts';
import type { View } from '../views/model.ts';
import type { PackagesView } from '../views/software/package-list.ts';
import type { ReadPorts } from './core/command.ts';
import { defineReadCommand, type TypedInput } from './core/define-command.ts';
import { readOnlyNotice } from './core/reader-rights.ts';
import { deviceForm } from './forms/subject-forms.ts';
import { cachedOrRead, listInput, repeatLine, SINGLE_PAGE, viewPage } from './lists/paging.ts';
import { defineResultList } from './lists/result-cache.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unexpectedWord } from './parser/usage-errors.ts';
import {
  bareCves,
  type PackageQuery,
  packageQuery,
  packageQueryText,
  readPackageFilters,
  SEVERITY_NAMES,
} from './software/package-filters.ts';
import { selectPackages } from './software/select-packages.ts';
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
    return viewForDevice({ device, again }, ports, (id) => listPackages(id, { query, result }, page, ports));
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

type PackageListQuery = { readonly query: PackageQuery; readonly result: string | undefined };

async function listPackages(
  id: DeviceId,
  { query, result }: PackageListQuery,
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
    paging: {
      command: 'packages',
      input: { device: id, ...query },
      ...(isDefault ? {} : repeatLine('packages', `#${id} ${question}`)),
      ...SINGLE_PAGE,
      total: selected.length,
      asOf: now,
    },
  };
}

const NO_QUERY = [{ key: 'is', value: 'all', negated: false }];
