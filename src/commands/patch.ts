/** `patch`: requests the installation of all missing patches of devices, or of named packages. */
import { z } from 'zod';
import { SEVERITIES } from '../fleet/model/derived-fields.ts';
import type { Device } from '../fleet/model/resources.ts';
import type { Problem } from '../views/model.ts';
import type { Offer } from '../views/models/problem-model.ts';
import { choosePackages, choosePackagesForMany } from './changes/choose-packages.ts';
import { planForDevice } from './changes/plan-change.ts';
import { planTargets } from './changes/plan-targets.ts';
import type { Planned, ReadPorts } from './core/command.ts';
import { defineWriteCommand, type TypedInput } from './core/define-command.ts';
import { patchForm } from './forms/patch-form.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { isSeverityFilter, severitiesFrom } from './software/package-filters.ts';
import { soughtBy } from './targets/missing-filter.ts';
import { namesAfter, unknownNamesProblem } from './targets/named-devices.ts';
import { retryFor } from './targets/resolve-targets.ts';
import { joinNames } from './targets/several-devices.ts';
import { parseTargetLine, splitTarget, targetFields, toTargetInput } from './targets/target-line.ts';
import { targetOffer } from './targets/target-offer.ts';

const input = z.object({
  ...targetFields,
  packages: z.array(z.string()).max(500).default([]),
  severities: z.array(z.enum(SEVERITIES)).default([]),
});
type Input = z.infer<typeof input>;

const HEAD = {
  name: 'patch',
  usage: 'patch NAME|#ID|FILTERS [PACKAGE …] [severity:critical|high|medium|low] [OPTIONS] [because REASON]',
};

export const patchCommand = defineWriteCommand<Input>({
  ...HEAD,
  summary:
    'Ask for approval to install all missing patches on devices, or only the packages and severities you name. With both, patches that match either one are installed. Devices selected with “missing:” get only what it names, unless you name something else. Separate several names or severities with commas.',
  examples: [
    'patch web-01',
    'patch web-01 openssl "Example Browser" because CVE list',
    'patch group:"Linux servers" severity:critical,high waves:1,25% because CVE list',
    'patch missing:CVE-2026-1234 because CVE list',
  ],
  input,
  form: patchForm,
  targets: 'filters',
  parse,
  plan: planPatch,
});

/** A package name may look like a filter (`zlib:amd64`), so words with a colon that select no devices are packages. */
function parse(words: LineWords): TypedInput<Input> {
  const line = parseTargetLine(words, { ownKeys: ['severity'], ownsOthers: true, takesWords: true });
  if (line.kind === 'fault') return line;
  const { own, rest } = line.input;
  const read = severitiesFrom(own.filter(isSeverityFilter));
  if (read.kind === 'fault') return read;
  const named = own.filter((part) => !isSeverityFilter(part)).map(({ text }) => text);
  return toTargetInput(line.input, { packages: [...rest, ...named], severities: read.input });
}

async function planPatch(typed: Input, ports: ReadPorts): Promise<Planned> {
  const named = await withNamedDevices(typed, ports);
  return named.kind === 'problem' ? named : planChosen(named.input, ports);
}

type NamedDevices =
  | { readonly kind: 'input'; readonly input: Input }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Where devices follow the first, every word is one or a known package; else it is asked which are meant. */
async function withNamedDevices(typed: Input, ports: ReadPorts): Promise<NamedDevices> {
  const { device, packages } = typed;
  const after = await namesAfter(device, packages, ports);
  if (after === null) return { kind: 'input', input: typed };
  const { names, packages: own, unknown } = after;
  const input: Input = { ...typed, packages: own };
  const again = { ...HEAD, input, packages: own };
  const problem = await unknownNamesProblem(names, unknown, again, ports);
  if (problem !== null) return { kind: 'problem', problem };
  const named = { device: joinNames(names) };
  if (own.length === 0) return { kind: 'input', input: { ...input, ...named } };
  const query = [device, ...packages].join(' ');
  const offers = [targetOffer(named, again, ports, own)];
  return { kind: 'problem', problem: { kind: 'not-all-devices', query, unknown: own, offers } };
}

async function planChosen(asked: Input, ports: ReadPorts): Promise<Planned> {
  const { target, meant, rest } = splitTarget(asked);
  const { reason, rollout: _, ...chosen } = rest;
  const selection = { ...chosen, sought: soughtBy(meant.filters ?? []) };
  const again = { ...HEAD, input: rest, packages: rest.packages };
  const choose = (fresh: Device) => choosePackages(fresh, selection, ports);
  const planned = await planTargets(
    {
      again,
      target,
      one: (ref) => planForDevice({ device: ref, retryWith: retryFor(again), reason, choose }, ports),
      many: (devices) => choosePackagesForMany(devices, selection, ports),
    },
    ports,
  );
  if (planned.kind !== 'problem') return planned;
  return { kind: 'problem', problem: withPackageOffers(planned.problem, asked, ports) };
}

/** Each name that may have been meant, with the form for it: what is installed is looked at once more. */
function withPackageOffers(problem: Problem, asked: Input, ports: ReadPorts): Problem {
  const isUnclear =
    problem.kind === 'no-such-package' ||
    problem.kind === 'missing-nowhere' ||
    problem.kind === 'several-packages';
  if (!isUnclear) return problem;
  const names = problem.kind === 'several-packages' ? problem.names : problem.nearest;
  const { offers = packageOffers(names, problem.query, asked, ports) } = problem;
  return offers.length === 0 ? problem : { ...problem, offers };
}

function packageOffers(
  names: readonly string[],
  query: string,
  asked: Input,
  ports: ReadPorts,
): readonly Offer[] {
  const { device, filters } = asked;
  const target = filters !== undefined ? { filters } : device === undefined ? null : { device };
  if (target === null) return [];
  return names.map((name) => {
    const packages = asked.packages.map((one) => (one === query ? name : one));
    const input: Input = { ...asked, packages };
    return targetOffer(target, { name: HEAD.name, input }, ports, packages);
  });
}
