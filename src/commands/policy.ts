/** `policy`: the facts of one policy, read fresh. Its scripts and secrets are not among them. */

import { z } from 'zod';
import { collectRows } from '../fleet/collect-rows.ts';
import type { Policy } from '../fleet/policy.ts';
import { unlessMissing } from '../fleet/unless-missing.ts';
import { type PolicyId, policyId } from '../ids.ts';
import type { View } from '../views/model.ts';
import type { Choice } from '../views/models/report-model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead } from './define.ts';
import { namedForm } from './forms/named-form.ts';
import { problemView } from './line/faults.ts';
import { policyLine } from './policy-line.ts';
import { CHOICES, meant, parseRef, type Ref, ref } from './targets/named.ts';
import { PERSON } from './targets/resolve.ts';

const input = z.object({ policy: ref });

export const policy = defineRead<z.infer<typeof input>>({
  name: 'policy',
  usage: 'policy NAME|#ID',
  summary: 'Show one policy: what kind it is, when it runs, and for which groups.',
  examples: ['policy "Apply All Patches"', 'policy #2103'],
  input,
  form: namedForm({ command: 'policy', of: 'policy', title: 'Show a policy', label: 'Policy' }),
  parse: (words) => {
    const read = parseRef(words, 'a policy');
    return read.kind === 'fault' ? read : { kind: 'input', input: { policy: read.input } };
  },
  run: ({ policy: given }, _page, ports) => find(given, ports),
});

async function find(given: Ref, ports: ReadPorts): Promise<View> {
  const again = (id: number) => ({ command: 'policy', input: { policy: id } });
  const found = await policyMeant(given, again, ports);
  if (found.kind === 'view') return found.view;
  return (await unlessMissing(() => show(policyId(found.id), ports))) ?? absent(`#${found.id}`, [], again);
}

export type PolicyMeant =
  | { readonly kind: 'one'; readonly id: number }
  | { readonly kind: 'view'; readonly view: View };

/** The policy of this name or number, or what to show instead; `again` runs the command with one of several. */
export async function policyMeant(
  given: Ref,
  again: (id: number) => Choice,
  { fleet }: ReadPorts,
): Promise<PolicyMeant> {
  const all = typeof given === 'number' ? [] : await collectRows(fleet.policies(PERSON));
  const found = meant(given, all, ({ name }) => name);
  switch (found.kind) {
    case 'one':
      return found;
    case 'several':
      return { kind: 'view', view: choices(String(given), found.all, again) };
    case 'none':
      return { kind: 'view', view: absent(String(given), found.nearest, again) };
  }
}

async function show(id: PolicyId, { fleet, inventory, clock }: ReadPorts): Promise<View> {
  const asOf = clock.now();
  const [fresh, snapshot] = await Promise.all([fleet.policy(id, PERSON), inventory.snapshot(PERSON)]);
  return { kind: 'policy', ...policyLine(fresh, snapshot), asOf };
}

function choices(query: string, all: readonly Policy[], again: (id: number) => Choice): View {
  const rows = all.slice(0, CHOICES).map((one) => rowOf(one, again));
  return { kind: 'choices', what: 'policy', query, rows, total: all.length };
}

function absent(query: string, near: readonly Policy[], again: (id: number) => Choice): View {
  const nearest = near.map(({ name }) => name);
  const offers = near.map((one) => ({ kind: 'named', ...rowOf(one, again) }) as const);
  return problemView({ kind: 'no-such-policy', query, nearest, ...(offers.length === 0 ? {} : { offers }) });
}

function rowOf({ id, name, type }: Policy, again: (id: number) => Choice) {
  return { id, name, detail: type, choice: again(id) };
}
