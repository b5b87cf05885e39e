/** `policy`: the facts of one policy, read fresh. Its scripts and secrets are not among them. */

import { z } from 'zod';
import { unlessMissing } from '../fleet/unless-missing.ts';
import type { PolicyId } from '../ids.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead } from './define.ts';
import { namedForm } from './forms/named-form.ts';
import { problemView } from './line/faults.ts';
import { policyLine } from './policy-line.ts';
import { parseRef, type Ref, ref } from './targets/named.ts';
import { noSuchPolicy, policyMeant } from './targets/policy-meant.ts';
import { PERSON } from './targets/resolve.ts';

const input = z.object({ policy: ref });

export const policy = defineRead<z.infer<typeof input>>({
  name: 'policy',
  usage: 'policy NAME|#ID',
  summary: 'Show one policy: its type, schedule and groups.',
  examples: ['policy "Apply All Patches"', 'policy #2103'],
  input,
  form: namedForm({ command: 'policy', of: 'policy', title: 'Show a policy', label: 'Policy' }),
  parse: (words) => {
    const read = parseRef(words, 'Which policy?');
    return read.kind === 'fault' ? read : { kind: 'input', input: { policy: read.input } };
  },
  run: ({ policy: given }, _page, ports) => find(given, ports),
});

async function find(given: Ref, ports: ReadPorts): Promise<View> {
  const again = (id: number) => ({ command: 'policy', input: { policy: id } });
  const found = await policyMeant(given, again, ports);
  if (found.kind === 'view') return found.view;
  const { id } = found;
  return (await unlessMissing(() => show(id, ports))) ?? problemView(noSuchPolicy(id));
}

async function show(id: PolicyId, { fleet, inventory, clock }: ReadPorts): Promise<View> {
  const asOf = clock.now();
  const [fresh, snapshot] = await Promise.all([fleet.policy(id, PERSON), inventory.snapshot(PERSON)]);
  return { kind: 'policy', ...policyLine(fresh, snapshot), asOf };
}
