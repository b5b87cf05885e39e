/** Who has to agree to a request, and who did. */
import type { Instant } from '../../lib/clock.ts';
import { type Approval, type Quorum, seated, type UnmetDemand, unmet } from '../../rules/quorum.ts';
import type { RefusingRule } from '../../rules/rules.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import { section } from '../kit/blocks.ts';
import { escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT } from '../kit/limits.ts';
import { mentionPerson, mentionUserGroup } from '../kit/mentions.ts';
import { relativeDate } from '../kit/timestamps.ts';
import { countText, withRest } from '../text/common-text.ts';

type Rules = Pick<RequestRecord, 'rules'>;
type Agreed = Pick<RequestRecord['rules'], 'demands' | 'approvals'>;

/** Whether one approver of any kind is not all that it needs. */
function isSaid({ demands, approvals }: Agreed): boolean {
  const isPlain = ({ from, count }: Quorum) => from === null && count === 1;
  return (
    approvals.length > 0 || demands.some(({ rule, quorums }) => rule !== null || !quorums.every(isPlain))
  );
}

/** While it waits. The mentions of whoever decides by a rule notify them once, with the post. */
export function demandBlocks({ rules, state }: Pick<RequestRecord, 'rules' | 'state'>): readonly Block[] {
  if (state !== 'waiting') return [];
  const { refusedBy, approvals } = rules;
  const isEnough = approvals.length > 0 && unmet(rules).length === 0;
  const lines = [demandLines(rules), isEnough ? ENOUGH : null].filter((line) => line !== null);
  return [
    ...(lines.length === 0 ? [] : [section(md`*Approvals*\n${joinMrkdwn(lines, '\n')}`)]),
    ...(refusedBy.length === 0
      ? []
      : [section(md`*Can’t be approved now*\n${refusingRulesText(refusedBy)}`)]),
  ];
}

/** The configuration file asks for fewer people since they agreed; a file alone approves nothing. */
const ENOUGH = md`Enough people approved it. It runs when one of those who may approve it presses *Approve* once more.`;

/** A line for each quorum, such as `production (30 devices): 1 of 2`; null: one approver of any kind is enough. */
export function demandLines(agreed: Agreed): Mrkdwn | null {
  if (!isSaid(agreed)) return null;
  const { demands, approvals } = agreed;
  const lines = demands.flatMap(({ rule, devices, quorums, isLost }) => {
    const given = seated(quorums, approvals);
    return quorums.map((quorum, at) => {
      const by = given[at] ?? [];
      const lost = isLost === true ? [md`names a group that doesn’t exist`] : [];
      const parts = [...lost, ...by.map(approvalText), ...whoText(quorum)];
      const number = countText(devices, 'device');
      const whose = rule === null && demands.length === 1 ? number : md`${ruleName(rule)} (${number})`;
      const of = md`${whose}: ${by.length} of ${quorum.count}`;
      return joinMrkdwn([of, ...parts], ' · ');
    });
  });
  return listed(lines, '\n');
}

/** Such as `rule *kiosks*, which then lets 12 more devices through this hour`. */
export function runningRulesText(by: readonly { readonly rule: string; readonly left: number }[]): Mrkdwn {
  const texts = by.map(
    ({ rule, left }) =>
      md`rule *${ruleName(rule)}*, which then lets ${countText(left, 'more device')} through this hour`,
  );
  return listed(texts, ', ');
}

/** Such as `production: 1 of 2, databases: 0 of 1`, and which rules refuse it; null: one approval is all that it needs. */
export function approvalProgress({ rules }: Rules): Mrkdwn | null {
  const { demands, approvals, refusedBy } = rules;
  const parts = demands.map(({ rule, quorums }) => {
    const needed = quorums.reduce((sum, { count }) => sum + count, 0);
    const given = seated(quorums, approvals).flat().length;
    return rule === null && demands.length === 1
      ? md`${given} of ${countText(needed, 'approval')}`
      : md`${ruleName(rule)}: ${given} of ${needed}`;
  });
  const refusing = refusedBy.map(({ name }) => md`rule *${ruleName(name)}* refuses it now`);
  const said = [...refusing, ...(isSaid(rules) ? parts : [])];
  return said.length === 0 ? null : listed(said, ', ');
}

/** Such as `1 more approval needed for production, 1 for databases.` */
export function stillNeededText(left: readonly UnmetDemand[]): Mrkdwn {
  const counts = left.map(({ demand: { rule }, missing: of }) => ({
    rule,
    count: of.reduce((sum, one) => sum + one, 0),
  }));
  const [first, ...others] = counts.map(({ rule, count }, at) => {
    const what = at === 0 ? md`${countText(count, 'more approval')} needed` : md`${count}`;
    return rule === null ? what : md`${what} for ${ruleName(rule)}`;
  });
  return md`${listed([first ?? md`Nothing more is needed`, ...others], ', ')}.`;
}

/** What whoever agreed first hears. */
export function agreedText({ rules }: Rules, what: Mrkdwn): Mrkdwn {
  return md`You approved the ${what}. ${stillNeededText(unmet(rules))}`;
}

export function agreedBeforeText(at: Instant, left: readonly UnmetDemand[]): Mrkdwn {
  return md`You already approved this ${relativeDate(at)}. ${stillNeededText(left)}`;
}

/** Whoever decides is named, so that nobody has to search the file. */
export function othersDecideText(left: readonly UnmetDemand[]): Mrkdwn {
  const clauses = left.map(({ demand: { rule, quorums } }) => {
    const who = quorums.flatMap(whoText);
    return md`${ruleName(rule)} is decided by ${who.length === 0 ? md`other approvers` : joinMrkdwn(who, ' and ')}`;
  });
  return md`You can’t decide this: ${listed(clauses, ', ')}.`;
}

export function refusingRulesText(rules: readonly RefusingRule[]): Mrkdwn {
  const texts = rules.map(
    ({ name, because }) => md`Rule *${ruleName(name)}*: ${escapeMrkdwn(because, DISPLAY_LIMIT.sentence)}`,
  );
  return listed(texts, '\n');
}

/** What a rule asks of the requester’s reason; `pattern` null: that there is one. */
export function neededReasonText(rule: string | null, pattern: string | null): Mrkdwn {
  const what = rule === null ? md`This` : md`By rule *${ruleName(rule)}*, this`;
  return md`${what} needs a reason${pattern === null ? md`` : md` with ${inlineCode(pattern)} in it`}.`;
}

/** Room for the rules of one request, in characters: a section has 3,000. */
const BUDGET = 1_500;

/** As many as there is room for, and how many more there are. */
export function listed(parts: readonly Mrkdwn[], separator: string): Mrkdwn {
  let used = 0;
  const fitting = parts.findIndex((part) => {
    used += part.length + separator.length;
    return used > BUDGET;
  });
  const shown = fitting === -1 ? parts : parts.slice(0, Math.max(fitting, 1));
  return withRest(joinMrkdwn(shown, separator), parts.length - shown.length);
}

function ruleName(rule: string | null): Mrkdwn {
  return rule === null ? md`everything else` : escapeMrkdwn(rule);
}

function approvalText({ by, at, comment }: Approval): Mrkdwn {
  const said = comment === undefined ? md`` : md` (“${escapeMrkdwn(comment, DISPLAY_LIMIT.name)}”)`;
  return md`${mentionPerson(by)} ${relativeDate(at)}${said}`;
}

export function whoText({ from }: Quorum): readonly Mrkdwn[] {
  if (from === null) return [];
  const named = [...from.userGroups.map(mentionUserGroup), ...from.people.map(mentionPerson)];
  return named.length === 0 ? [] : [listed(named, ' or ')];
}
