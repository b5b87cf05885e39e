/** The policies, a page at a time, each with a button that shows it. */

import type { Policy } from '../../fleet/model/policy.ts';
import { section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { type CsvTable, csvList, csvTable, utcTimestamp } from '../kit/csv.ts';
import { bold, escapeValue, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { pageButtons } from '../kit/pager.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Paging } from '../models/list-model.ts';
import type { Block, RenderedMessage } from '../models/rendered-model.ts';
import type { PolicyLine } from '../models/report-model.ts';
import { countText, withRest } from '../text/common-text.ts';
import { present, statedPolicyType } from '../text/stated-facts.ts';
import { scheduleText } from './policy-schedule.ts';

export type PolicyListView = {
  readonly kind: 'policies';
  readonly rows: readonly PolicyLine[];
  readonly paging: Paging;
};

export function renderPolicyList({ rows, paging }: PolicyListView): RenderedMessage {
  const total = countText(paging.total, 'policy', 'policies');
  return buildMessage({
    text: md`${total}.`,
    body: [
      section(md`*Policies*`),
      ...(rows.length === 0 ? [section(md`The management service lists no policies.`)] : rows.map(policyRow)),
    ],
    footer: pageButtons(paging, total),
  });
}

function policyRow(line: PolicyLine): Block {
  const { policy } = line;
  const title = [bold(policy.name), md`#${policy.id}`, ...present(statedPolicyType(policy.type))];
  const facts = present(groupNamesText(line, 3), scheduleText(policy.schedule));
  const run = runButton({
    action: `policy:${policy.id}`,
    label: 'Show',
    command: 'policy',
    input: { policy: policy.id },
  });
  return section(md`${joinMrkdwn(title, ' · ')}\n${joinMrkdwn(facts, ' · ')}${nextRunText(policy)}`, run);
}

/** Attributed to the service, because its next run is unreliable ("management API in practice" 9). */
function nextRunText({ nextRemediation }: Policy): Mrkdwn {
  return nextRemediation === null
    ? md``
    : md`\nNext run ${relativeDate(nextRemediation)} (per the management service)`;
}

type Named = { readonly id: number; readonly name: string | null };

export function groupNamesText({ groups }: PolicyLine, max: number): Mrkdwn {
  return groups.length === 0 ? md`no groups` : namesText(groups, max);
}

/** The first `max` by name; the others are counted. */
export function namesText(all: readonly Named[], max: number): Mrkdwn {
  const named = all
    .slice(0, max)
    .map(({ id, name }) =>
      name === null || name === '' ? md`#${id}` : escapeValue(name, DISPLAY_LIMIT.label),
    );
  return withRest(joinMrkdwn(named, ', '), all.length - named.length);
}

export function policiesCsv(view: PolicyListView): CsvTable {
  return csvTable(view.rows, {
    id: ({ policy }) => policy.id,
    policy: ({ policy }) => policy.name,
    type: ({ policy }) => policy.type,
    status: ({ policy }) => policy.status,
    'next run': ({ policy }) => utcTimestamp(policy.nextRemediation),
    groups: ({ groups }) => csvList(groups.map(({ id, name }) => name ?? `#${id}`)),
  });
}
