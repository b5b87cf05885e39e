/** No command without its approval: as many people agree as the configuration file asks for, and what it refuses is not sent. */
import { type Pair, paired, waitsForApproval } from './commands.ts';
import {
  clockTime,
  type Evidence,
  hasPressed,
  parseJsonField,
  type Rule,
  type Violation,
} from './evidence.ts';
import { CLAIM } from './rollouts.ts';
import { type Asks, JUDGED_MS, type Verdict, verdictsOf } from './rule-files.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TOLERANCE_MS = MINUTE;
/** The clocks of processes may differ. */
const SKEW_MS = 3 * MINUTE;

const APPROVED = 'approval.approved';
const RETURNED = 'approval.sent-back';

/** States of a request that somebody agreed to. */
const AGREED: readonly unknown[] = ['approved', 'running', 'ended'];

export const commandsApproved: Rule = (evidence) =>
  paired(evidence).pairs.flatMap((pair) => {
    const what = lacks(pair, evidence);
    const { request, signature } = pair.write;
    return what === null
      ? []
      : [
          {
            rule: 'command approved',
            what: `${signature} at ${clockTime(request.at)}: ${what} (${String(pair.claim.request['id'])})`,
          },
        ];
  });

/** Whose approval was the newest one before the write: what is left of a rollout may be approved again. */
function approverOf({ write, claim }: Pair, { tables }: Evidence): unknown {
  const { id, decided_by: decidedBy } = claim.request;
  const approvals = tables.audit
    .filter(({ subject, action }) => subject === id && action === APPROVED)
    .filter(({ at }) => Number(at) <= write.request.at + TOLERANCE_MS)
    .toSorted((a, b) => Number(a['sequence']) - Number(b['sequence']));
  return approvals.at(-1)?.['actor'] ?? decidedBy;
}

/** Where no rule says otherwise. */
function somebodyHadToApprove({ write, claim }: Pair): boolean {
  const action = parseJsonField(claim.request['action']);
  const change = parseJsonField(action['change']);
  const isName = action['kind'] === 'device-edit' && Object.keys(change).join() === 'customName';
  return write.needsApproval || (write.signature.endsWith(' edit') && !isName);
}

function lacks(pair: Pair, evidence: Evidence): string | null {
  const { write, claim } = pair;
  const { request } = claim;
  if (!waitsForApproval(request)) {
    const mayRun =
      !somebodyHadToApprove(pair) || verdictsAt(pair, evidence).some(({ perHour }) => perHour !== null);
    return mayRun ? null : 'nobody had to approve it';
  }
  if (!AGREED.includes(request['state'])) return `its request is ${String(request['state'])}`;
  const approver = approverOf(pair, evidence);
  if (approver === request['requester_id']) return 'approved by the one who asked';
  return hasPressed(evidence, approver, 'approve', write.request.at) ? null : 'nobody pressed Approve';
}

/** What the files ask of it that could be in force when it was sent. */
function verdictsAt({ write, claim }: Pair, evidence: Evidence): readonly Verdict[] {
  const { request, target } = claim;
  const action = parseJsonField(request['action']);
  const size = evidence.tables.request_targets.filter((row) => row['request_id'] === request['id']).length;
  const command = {
    kind: String(action['kind']),
    device: Number(target['device_id']),
    group: Number(action['groupId']),
    size,
  };
  const to = write.request.at + TOLERANCE_MS;
  return verdictsOf(evidence, command, { from: write.request.at - JUDGED_MS, to });
}

/** Each command has as many distinct people as one of the files asks for, and its requester is none of them. */
export const enoughAgreed: Rule = (evidence) =>
  ruledPairs(evidence)
    .filter(({ claim }) => waitsForApproval(claim.request))
    .flatMap((pair): readonly Violation[] => {
      const asked = verdictsAt(pair, evidence).filter(({ refuses }) => !refuses);
      const people = pressersOf(pair, evidence);
      if (asked.length === 0 || asked.some(({ asks }) => isMet(asks, people))) return [];
      const wanted = asked.map(({ asks }) =>
        asks.map(([count, of]) => `${count} of ${of.join('/')}`).join(' and '),
      );
      const why = `${people.join(', ') || 'nobody'} agreed, asked were ${wanted.join(', or ')}`;
      return [found(pair, 'as many people agree as the rules ask', why)];
    });

export const refusedStaysUnsent: Rule = (evidence) =>
  ruledPairs(evidence)
    .filter((pair) => verdictsAt(pair, evidence).every(({ refuses }) => refuses))
    .map((pair) => found(pair, 'what the rules refuse is not sent', 'each file in force refuses it'));

/** So many devices a rule lets through without anybody, in any hour. */
export const fewRunInAnHour: Rule = (evidence) => {
  const ran = ruledPairs(evidence)
    .filter(({ claim }) => !waitsForApproval(claim.request))
    .map((pair) => {
      const limits = verdictsAt(pair, evidence).map(({ perHour }) => perHour ?? 0);
      return { pair, at: Number(pair.claim.request['created_at']), most: Math.max(...limits) };
    });
  return ran.flatMap(({ pair, at }): readonly Violation[] => {
    const before = ran.filter((one) => one.at <= at && one.at > at - HOUR + JUDGED_MS);
    const most = Math.max(...before.map((one) => one.most));
    if (before.length <= most) return [];
    return [found(pair, 'a rule lets few devices through in an hour', `${before.length} ran, ${most} may`)];
  });
};

/** Nothing but a press approves: each line of an approval has one of its own, and each claim such a line before it. */
export const pressesApprove: Rule = (evidence) => {
  const rule = 'a press completes each approval';
  const lines = evidence.tables.audit.toSorted((a, b) => Number(a['sequence']) - Number(b['sequence']));
  return evidence.tables.requests.filter(waitsForApproval).flatMap(({ id }): readonly Violation[] => {
    const own = lines.filter(({ subject }) => subject === id);
    const given = Map.groupBy(
      own.filter(({ action }) => action === 'approval.agreed' || action === APPROVED),
      ({ actor }) => String(actor),
    );
    const beyond = [...given].filter(
      ([actor, all]) => all.length > pressesOn(evidence, id).filter(({ by }) => by === actor).length,
    );
    const claims = own.filter(({ action }, index) => {
      const before = own.slice(0, index).map((entry) => entry['action']);
      return action === CLAIM && before.lastIndexOf(APPROVED) <= before.lastIndexOf(RETURNED);
    });
    return [
      ...beyond.map(([actor, { length }]) => ({
        rule,
        what: `${actor} agreed ${length} times to ${String(id)}, and pressed less often`,
      })),
      ...claims.map(({ at }) => ({
        rule,
        what: `${String(id)} was claimed at ${clockTime(at)}, and nobody had approved it`,
      })),
    ];
  });
};

/** At most three messages of a request mention people in its channel: its card, a reminder, and an escalation. */
export const mentionsFewTimes: Rule = ({ tables, messages }) =>
  tables.requests.flatMap(({ id }): readonly Violation[] => {
    const own = messages.filter(({ key, ephemeral, text, blocks }) => {
      const isOwn = key === `approval:${id}` || key?.startsWith(`nudge:${id}.`) === true;
      return isOwn && !ephemeral && /<(?:!subteam\^|@)/.test(text + JSON.stringify(blocks));
    });
    if (own.length <= MOST_MENTIONS) return [];
    const what = `${own.length} messages mention people for ${String(id)}`;
    return [{ rule: 'people are mentioned three times at most', what }];
  });

const MOST_MENTIONS = 3;

/** The commands that somebody has to approve where no rule says otherwise. */
function ruledPairs(evidence: Evidence): readonly Pair[] {
  return paired(evidence).pairs.filter(somebodyHadToApprove);
}

/** Who pressed Approve before it was sent, by name: since it was last returned, and without its requester. */
function pressersOf({ write, claim }: Pair, evidence: Evidence): readonly string[] {
  const { id, requester_id: requester } = claim.request;
  const sent = write.request.at + TOLERANCE_MS;
  const returned = evidence.tables.audit
    .filter(
      ({ subject, action, at }) => subject === id && action === RETURNED && Number(at) <= write.request.at,
    )
    .reduce((newest, { at }) => Math.max(newest, Number(at)), 0);
  const pressed = pressesOn(evidence, id).filter(
    ({ at, by }) => at <= sent && at >= returned - SKEW_MS && by !== requester,
  );
  return [...new Set(pressed.map(({ user }) => user))];
}

function pressesOn({ acts, people }: Evidence, id: unknown) {
  return acts
    .filter(({ kind, what, card = null }) => kind === 'press' && what === 'approve' && isAbout(card, id))
    .map(({ at, user }) => ({ at, user, by: people[user] }));
}

/** What was pressed is not always known. */
function isAbout(card: string | null, id: unknown): boolean {
  return card === null || card === `approval:${id}`;
}

function isMet(asks: Asks, people: readonly string[]): boolean {
  return asks.every(([count, of]) => people.filter((name) => of.includes(name)).length >= count);
}

function found({ write, claim }: Pair, rule: string, why: string): Violation {
  const what = `${write.signature} at ${clockTime(write.request.at)}: ${why} (${String(claim.request['id'])})`;
  return { rule, what };
}
