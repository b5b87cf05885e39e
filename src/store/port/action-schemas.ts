/** Stored actions. */
import { z } from 'zod';
import type { FleetAction } from '../../fleet/model/actions.ts';
import { deviceChange, groupChange, newGroup, newPolicy, policyChange } from '../../fleet/model/changes.ts';
import { groupField, policyField } from '../../lib/record-fields.ts';

const texts = z.array(z.string());

const commandPolicyFields = { policyId: policyField, policyName: z.string().exactOptional() };

const chosenSchema = z.object({ severities: texts, named: texts });

export const actionSchema: z.ZodType<FleetAction> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('scan') }),
  z.object({ kind: z.literal('reboot') }),
  z.object({ kind: z.literal('patch-all') }),
  z.object({
    kind: z.literal('patch'),
    packages: texts,
    chosen: chosenSchema.exactOptional(),
  }),
  z.object({ kind: z.literal('patch-each'), chosen: chosenSchema.nullable() }),
  z.object({ kind: z.literal('policy-test'), ...commandPolicyFields }),
  z.object({ kind: z.literal('policy-remediate'), ...commandPolicyFields }),
  z.object({ kind: z.literal('device-edit'), change: deviceChange }),
  z.object({ kind: z.literal('group-create'), group: newGroup }),
  z.object({ kind: z.literal('group-edit'), groupId: groupField, change: groupChange }),
  z.object({ kind: z.literal('policy-create'), policy: newPolicy }),
  z.object({ kind: z.literal('policy-edit'), policyId: policyField, change: policyChange }),
  z.object({ kind: z.literal('device-remove') }),
  z.object({ kind: z.literal('group-remove'), groupId: groupField }),
]);
