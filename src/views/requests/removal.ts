/** What goes with a device or a group that is removed. */
import { removalEffects } from '../../fleet/facts/edit-changes.ts';
import { type FleetAction, isRemoval, type Removal } from '../../fleet/model/actions.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import { rowBlocks } from '../kit/blocks.ts';
import { escapeMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import type { Block } from '../models/rendered-model.ts';

/** Ten names of 60 characters, and as many more for their escapes. */
const MAX_VALUE = 1_200;
const BUDGET = 5_000;

/** A row for each kind of thing that goes with it. */
export function removalBlocks(action: FleetAction, targets: readonly TargetFacts[]): readonly Block[] {
  if (!isRemoval(action)) return [];
  const rows = targets
    .flatMap(removalEffects)
    .map(({ label, value }) => md`*${trustedMrkdwn(label)}*: ${escapeMrkdwn(value, MAX_VALUE)}`);
  return rowBlocks(rows, { budget: BUDGET, more: (left) => md`${left} more not shown.` });
}

/** What cannot be undone, and what happens afterwards. */
export function removalWarning(removal: Removal, targets: readonly TargetFacts[]): Mrkdwn {
  const final = md`*Removed as soon as it’s approved. This can’t be undone.*`;
  if (removal.kind === 'device-remove')
    return md`${final} If its agent still runs, the device registers again under another ID.`;
  const [facts] = targets;
  const effects =
    facts === undefined || facts.deviceId !== null || !('removal' in facts) ? undefined : facts.removal;
  if (effects === undefined) return final;
  const { devices, subgroups } = effects;
  const moved =
    devices.count === 0 ? md`` : md` The policies of the Default Group then apply to its devices.`;
  const below =
    subgroups.length === 0 ? md`` : md` The management service doesn’t document where its subgroups go.`;
  return md`${final}${moved}${below}`;
}
