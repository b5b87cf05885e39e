/** The policies, a page at a time, each with a button that shows it. */
import type { Policy } from '../fleet/policy.ts';
import { section } from './kit/blocks.ts';
import { joined, literal, type Mrkdwn, md, strong } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import { pager } from './kit/pager.ts';
import { runButton } from './kit/run-button.ts';
import { when } from './kit/when.ts';
import type { Block, RenderedMessage, View } from './model.ts';
import type { PolicyLine } from './models/report-model.ts';
import { scheduleWords } from './schedule.ts';
import { present, statedPolicyType } from './stated.ts';
import { count } from './words.ts';

export function renderPolicies({ rows, paging }: Extract<View, { kind: 'policies' }>): RenderedMessage {
  const total = count(paging.total, 'policy', 'policies');
  return message({
    text: md`${total}.`,
    body: [
      section(md`*Policies*`),
      ...(rows.length === 0 ? [section(md`The management service lists no policies.`)] : rows.map(row)),
    ],
    end: pager(paging, total),
  });
}

function row(line: PolicyLine): Block {
  const { policy } = line;
  const title = [strong(policy.name), md`#${policy.id}`, ...present(statedPolicyType(policy.type))];
  const facts = present(groupNames(line, 3), scheduleWords(policy.schedule));
  const run = runButton({
    action: `policy:${policy.id}`,
    label: 'Show',
    command: 'policy',
    input: { policy: policy.id },
  });
  return section(md`${joined(title, ' · ')}\n${joined(facts, ' · ')}${nextRun(policy)}`, run);
}

/** The service's word for it is unreliable ("management API in practice" 9), so it is told as its word. */
function nextRun({ nextRemediation }: Policy): Mrkdwn {
  return nextRemediation === null
    ? md``
    : md`\nNext run ${when(nextRemediation)} (per the management service)`;
}

/** The first few by name, the rest by number. */
export function groupNames({ groups }: PolicyLine, shown: number): Mrkdwn {
  if (groups.length === 0) return md`no groups`;
  const named = groups
    .slice(0, shown)
    .map(({ id, name }) => (name === null ? md`#${id}` : literal(name, SHOWN.label)));
  const left = groups.length - named.length;
  return left === 0 ? joined(named, ', ') : md`${joined(named, ', ')} and ${left} more`;
}
