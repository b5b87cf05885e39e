/** Those who can still agree are mentioned in the thread of a request that waits. */
import type { UserGroupId } from '../../lib/ids.ts';
import { type UnmetDemand, unmet } from '../../rules/quorum.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import { section } from '../kit/blocks.ts';
import { joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import type { RenderedMessage } from '../kit/limits.ts';
import { buildMessage, SIGN } from '../kit/message.ts';
import { dateOr } from '../kit/timestamps.ts';
import { countText } from '../text/common-text.ts';
import { listed, whoText } from './demands.ts';
import { requestTitle } from './request-card.ts';

type NudgeView = {
  readonly kind: 'nudge';
  readonly request: RequestWithTargets;
  /** Who can still agree is told again; or to whom it escalates, that they can. */
  readonly nudge: 'remind' | 'escalate';
  /** The user groups that may approve anything. */
  readonly approverGroups: readonly UserGroupId[];
};

export function renderNudge({ request, nudge, approverGroups }: NudgeView): RenderedMessage {
  const { rules, expiresAt } = request;
  const what = requestTitle(request);
  const left = unmet(rules);
  const since = dateOr(rules.since, '');
  const ends = md`It expires ${dateOr(expiresAt, '')}.`;
  const text =
    nudge === 'escalate'
      ? md`${escalatedText(left)} You can approve now: ${what}. It has waited since ${since}. ${ends}`
      : md`Waiting since ${since}: ${what}. Still needed: ${neededText(left, approverGroups)}. ${ends}`;
  return buildMessage({
    text: md`${trustedMrkdwn(SIGN.waiting)} ${text}`,
    body: [section(md`${trustedMrkdwn(SIGN.waiting)} ${text}`)],
  });
}

function escalatedText(left: readonly UnmetDemand[]): Mrkdwn {
  const to = left.flatMap(({ demand: { escalatedTo } }) => escalatedTo ?? []);
  return joinMrkdwn([...new Set(to.flatMap((from) => whoText({ from, count: 1 })))], ' ');
}

/** Nobody alone is mentioned but where a rule names them. */
function neededText(left: readonly UnmetDemand[], approverGroups: readonly UserGroupId[]): Mrkdwn {
  const anybody = { from: { people: [], userGroups: approverGroups }, count: 1 };
  const parts = left.flatMap(({ demand: { quorums }, missing: of }) =>
    quorums.flatMap((quorum, at) => {
      const count = of[at] ?? 0;
      const [who] = whoText(quorum.from === null ? anybody : quorum);
      const number = countText(count, 'approval');
      return count === 0 ? [] : [who === undefined ? number : md`${number} from ${who}`];
    }),
  );
  return listed([...new Set(parts)], ', ');
}
