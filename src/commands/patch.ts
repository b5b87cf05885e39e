/** `patch`: installs what is missing on a device, or named packages of it, after approval. */

import { z } from 'zod';
import { collectRows } from '../fleet/collect-rows.ts';
import { encodeCommand } from '../fleet/commands.ts';
import { type Device, displayName, isMissing, type Package, type PackagesCommand } from '../fleet/model.ts';
import { countSeverities, hasSeverity, SEVERITIES } from '../fleet/software.ts';
import { nearest } from '../inventory/nearest.ts';
import { fold } from '../text.ts';
import type { Problem } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineWrite, type Typed } from './define.ts';
import { patchForm } from './forms/patch-form.ts';
import { extraWord } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import { type Chosen, planOne } from './plan.ts';
import { isSeverity, readSeverities } from './software/patch-severities.ts';
import { manyDevices } from './targets/one-device.ts';
import { type DeviceRef, deviceRef, givenOf, PERSON, reasonText } from './targets/resolve.ts';

const input = z.object({
  device: deviceRef,
  packages: z.array(z.string()).max(500),
  severities: z.array(z.enum(SEVERITIES)).default([]),
  /**
   * The packages are those of an order for several devices, by machine name, of which each may miss only some; null: they
   * were chosen by their names.
   */
  shared: z
    .object({ severities: z.array(z.string()), named: z.array(z.string()) })
    .nullable()
    .exactOptional(),
  reason: reasonText,
});
type Input = z.infer<typeof input>;

/** How many packages are offered for a name that fits none. */
const OFFERED = 3;

export const patch = defineWrite<Input>({
  name: 'patch',
  usage: 'patch NAME|#ID [PACKAGE …] [severity:critical|high|medium|low] [because REASON]',
  summary:
    'Request to install all missing patches on a device, or only the packages or severities you name. Needs approval.',
  examples: [
    'patch web-01',
    'patch web-01 openssl "Example Browser" because CVE list',
    'patch web-01 severity:critical,high',
  ],
  input,
  form: patchForm,
  parse,
  plan: ({ device, reason, ...asked }, ports) => {
    const again = (id: DeviceRef) => ({ command: 'patch', input: { device: id, ...asked, reason } });
    return planOne({ device, again, reason, choose: (fresh) => choose(fresh, asked, ports) }, ports);
  },
});

/** A package name may look like a filter (`zlib:amd64`), so what has a colon is a package too. */
function parse(words: Words): Typed<Input> {
  const many = manyDevices(words);
  if (many !== null) return { kind: 'fault', fault: many };
  const fault = extraWord(words, { reason: true, filters: true });
  if (fault !== null && fault.kind !== 'missing') return { kind: 'fault', fault };
  const [device, ...packages] = words.free;
  const [wanted, others] = [
    words.filters.filter(isSeverity),
    words.filters.filter((part) => !isSeverity(part)),
  ];
  const read = readSeverities(wanted);
  if (read.kind === 'fault') return read;
  const named = [...packages, ...others.map(({ text }) => text)];
  const asked = { packages: named, severities: read.input };
  if (device === undefined || fault !== null) {
    const given = { ...givenOf(device ?? '', words), ...asked };
    return { kind: 'fault', fault: { kind: 'missing', what: 'Which device?', ...fault, given } };
  }
  return { kind: 'input', input: { device, ...asked, reason: words.reason } };
}

type Asked = Omit<Input, 'device' | 'reason'>;

async function choose(
  device: Device,
  asked: Asked,
  { fleet, inventory, clock, misses }: ReadPorts,
): Promise<Chosen> {
  const now = clock.now();
  const rows = await collectRows(fleet.packages(device.id, PERSON));
  inventory.learnPackages(rows.map(({ name }) => name));
  misses.learn(device.id, rows, now);
  const missing = rows.filter((row) => isMissing(row, now));
  const deviceName = displayName(device);
  if (asked.shared !== undefined) return ofShared(asked.packages, asked.shared, { missing, deviceName });
  const isAll = asked.packages.length === 0 && asked.severities.length === 0;
  if (missing.length === 0 && asked.packages.length === 0) {
    return { kind: 'problem', problem: { kind: 'nothing-to-install', deviceName } };
  }
  if (isAll) {
    return { kind: 'command', command: { kind: 'patch-all' }, missing: machineNames(missing) };
  }
  const severe = missing.filter((item) => hasSeverity(item, asked.severities));
  if (severe.length === 0 && asked.severities.length > 0) {
    const there = countSeverities(missing);
    return {
      kind: 'problem',
      problem: { kind: 'no-such-severity', asked: asked.severities, deviceName, there },
    };
  }
  const named: string[] = [];
  for (const query of asked.packages) {
    const [name, ...others] = matching(missing, query);
    if (name === undefined || others.length > 0) {
      return { kind: 'problem', problem: unmatched(query, deviceName, { rows, missing }) };
    }
    named.push(name);
  }
  const packages = [...new Set([...machineNames(severe), ...named])].toSorted();
  return sendable(
    packages,
    asked.severities.length === 0 ? {} : { chosen: { severities: asked.severities, named } },
  );
}

/** The order as it is for all of its devices, and what this one misses of it. */
function ofShared(
  packages: readonly string[],
  chosen: PackagesCommand['chosen'] | null,
  { missing, deviceName }: { readonly missing: readonly Package[]; readonly deviceName: string },
): Chosen {
  const here = machineNames(missing).filter((name) => packages.includes(name));
  if (here.length === 0) return { kind: 'problem', problem: { kind: 'none-missing', deviceName } };
  const sent = sendable(packages, chosen ? { chosen } : {});
  return sent.kind === 'command' ? { ...sent, missing: here } : sent;
}

type Software = { readonly rows: readonly Package[]; readonly missing: readonly Package[] };

/** Why the query names not exactly one package that can be installed. */
function unmatched(query: string, deviceName: string, { rows, missing }: Software): Problem {
  const several = matching(missing, query);
  if (several.length > 0) return { kind: 'no-such-package', query, deviceName, nearest: several };
  const [installed] = matching(
    rows.filter((row) => row.installed),
    query,
  );
  if (installed !== undefined) return { kind: 'already-installed', name: installed, deviceName };
  if (missing.length === 0) return { kind: 'nothing-to-install', deviceName };
  return { kind: 'no-such-package', query, deviceName, nearest: nearestOf(missing, query) };
}

/** The queue's arguments cannot carry every name (§2.7, §4.3): what cannot be said is refused, not mangled. */
function sendable(packages: readonly string[], how: Pick<PackagesCommand, 'chosen'>): Chosen {
  const command = { kind: 'patch', packages, ...how } as const;
  const encoded = encodeCommand(command);
  if (encoded.kind === 'encoded') return { kind: 'command', command, missing: packages };
  return { kind: 'problem', problem: { kind: 'unsendable-package', name: encoded.name } };
}

/** Machine names of the missing packages that the query names: by machine name, else by the name for people. */
function matching(missing: readonly Package[], query: string): readonly string[] {
  const wanted = fold(query);
  const byName = machineNames(missing.filter((item) => item.name === query || fold(item.name) === wanted));
  return byName.length > 0
    ? byName
    : machineNames(missing.filter((item) => fold(item.displayName) === wanted));
}

function machineNames(items: readonly Package[]): readonly string[] {
  return [...new Set(items.map((item) => item.name))].toSorted();
}

/** Each package once, by whichever of its two names is nearer. */
function nearestOf(items: readonly Package[], query: string): readonly string[] {
  const owners = new Map(
    items.flatMap(({ name, displayName }) => [
      [name, name],
      [displayName, name],
    ]),
  );
  const offered = new Map<string | undefined, string>();
  for (const label of nearest(query, owners.keys(), owners.size)) {
    if (!offered.has(owners.get(label))) offered.set(owners.get(label), label);
  }
  return [...offered.values()].slice(0, OFFERED);
}
